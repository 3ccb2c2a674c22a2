//! The settings of the memory allocator for the whole process.

/// Fixes the size above which glibc returns freed blocks to the system. By default, each large
/// block raises this threshold, up to 32 MiB: a run over a few huge files then keeps tens of
/// megabytes of unused memory. The fixed threshold costs no measurable time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator has no safe way to be told")]
pub(crate) fn give_back_large_blocks() {
    const LARGE: libc::c_int = 512 * 1024;
    // SAFETY: `mallopt` takes two numbers and no pointer, and no other thread exists yet. If it
    // fails, the threshold stays unchanged.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_large_blocks() {}
