//! Compiles the C code that reports the coverage of the grammars to libFuzzer.

fn main() {
    println!("cargo:rerun-if-changed=c/coverage.c");
    println!("cargo:rustc-link-arg-bins=-Wl,--wrap=__sanitizer_cov_trace_pc");
    cc::Build::new()
        .std("c11")
        .file("c/coverage.c")
        .compile("loom-coverage");
}
