//! The settings of the memory allocator for the whole process.

/// Lets the allocator of glibc give every large block back when it is freed. By
/// default it raises the mark with each large block, up to 32 MiB, and keeps what is
/// below: a run over a tree with a few huge files then holds tens of megabytes that
/// nobody uses. The mark is fixed where it costs no measurable time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator has no safe way to be told")]
pub(crate) fn give_back_large_blocks() {
    const LARGE: libc::c_int = 512 * 1024;
    // SAFETY: `mallopt` takes two numbers and no pointer, and no other thread exists
    // yet. What it cannot do it leaves as it is.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_large_blocks() {}
