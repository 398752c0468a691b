// SPDX-License-Identifier: Apache-2.0

//! Mimalloc as the allocator of the whole program. Debian has the library but no crate for it.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

#[link(name = "mimalloc")]
extern "C" {
    fn mi_malloc(size: usize) -> *mut c_void;
    fn mi_zalloc(size: usize) -> *mut c_void;
    fn mi_realloc(old: *mut c_void, size: usize) -> *mut c_void;
    fn mi_malloc_aligned(size: usize, alignment: usize) -> *mut c_void;
    fn mi_zalloc_aligned(size: usize, alignment: usize) -> *mut c_void;
    fn mi_realloc_aligned(old: *mut c_void, size: usize, alignment: usize) -> *mut c_void;
    fn mi_free(pointer: *mut c_void);
}

struct Mimalloc;

/// What the plain functions, which are faster, align by themselves.
#[inline]
fn is_plain(size: usize, alignment: usize) -> bool {
    alignment <= 16 && alignment <= size
}

#[global_allocator]
static ALLOCATOR: Mimalloc = Mimalloc;

// Safety: the library's functions keep the same promises as these, and give null when they fail.
unsafe impl GlobalAlloc for Mimalloc {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_plain(layout.size(), layout.align()) {
            return mi_malloc(layout.size()).cast();
        }
        mi_malloc_aligned(layout.size(), layout.align()).cast()
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_plain(layout.size(), layout.align()) {
            return mi_zalloc(layout.size()).cast();
        }
        mi_zalloc_aligned(layout.size(), layout.align()).cast()
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        mi_free(pointer.cast())
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_plain(size, layout.align()) {
            return mi_realloc(pointer.cast(), size).cast();
        }
        mi_realloc_aligned(pointer.cast(), size, layout.align()).cast()
    }
}
