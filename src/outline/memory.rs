//! Confines tree-sitter: a limit on its memory and on its work that holds whatever the input, and an arena that makes it
//! faster. The only unsafe code of the project: the C library takes an allocator as four C functions.
//!
//! Why the limit is in the allocator: 20 KB of `a<` as Java, `*a?` as well, `a(=` as Rust or `=><a` as C make the parser ask
//! for 4 GB in one step, before any callback could stop it, and four times that for twice the text. C cannot be left half
//! way, so the work is done in a thread of its own; where it asks for too much, its memory is freed, that thread sleeps for
//! good, and the next work gets a new one. The same goes for a failed assertion in a grammar.
//!
//! Why blocks are the measure of work and not the parser's own steps: random bytes take no more steps a KB than ordinary
//! code does (13, and 52 is the most in 20,000 sources), but each step takes ever longer; it is the blocks that tell: 150 to
//! 500 a KB are usual, random bytes take 80,000, and time goes with them (0.2 to 0.4 us each).
//!
//! Blocks have their size in the 8 bytes in front. They come from chunks and go to lists by size; a work's end frees all of
//! them at once, so that nobody has to take a tree apart.
#![allow(unsafe_code, reason = "the allocator of a C library is C functions")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::Once;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use tree_sitter::{Allocator, Parser};

/// What work may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes held at any time.
    pub bytes: usize,
    /// Blocks asked for in all.
    pub blocks: u64,
    pub timeout: Duration,
}

/// Why work was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Bytes,
    Work,
    Time,
    /// An assertion in the C code failed.
    Broken,
    /// The system gives us no thread.
    NoThread,
}

/// Runs `work` in the calling thread's helper, where tree-sitter is confined. No object of tree-sitter may leave it: its memory
/// is gone when `work` returns.
///
/// # Errors
/// If it asked for more than `bounds`; what it owned by then is never freed (but tree-sitter's memory is).
pub fn confined<T: Send>(bounds: Bounds, work: impl FnOnce() -> T + Send) -> Result<T, Stop> {
    let mut result: Option<Result<T, Box<dyn Any + Send>>> = None;
    let job: Box<dyn FnOnce() + Send + '_> =
        Box::new(|| result = Some(catch_unwind(AssertUnwindSafe(work))));
    // SAFETY: what the job borrows lives until `run` returns. By then the job has ended, or sleeps and touches nothing more.
    let job: Box<dyn FnOnce() + Send + 'static> = unsafe { std::mem::transmute(job) };
    HELPER.with(|helper| run(&mut helper.borrow_mut(), bounds, job))?;
    match result.expect("the job ran to its end") {
        Ok(result) => Ok(result),
        Err(panic) => resume_unwind(panic),
    }
}

/// A parser; to be had in confined work only.
pub fn parser() -> Parser {
    assert!(DEADLINE.get().is_some(), "parsing is confined");
    static INSTALL: Once = Once::new();
    let allocator = Allocator {
        malloc: arena_malloc,
        calloc: arena_calloc,
        realloc: arena_realloc,
        free: arena_free,
    };
    // SAFETY: the four functions belong together and keep C's promises, and nothing was allocated before: there is no other
    // way to a parser.
    INSTALL.call_once(|| unsafe { tree_sitter::set_allocator(Some(allocator)) });
    Parser::new()
}

/// The parser releases its stack by recursion, 96 bytes for each node of 232: no more of those than this fit in 512 MB. It is
/// address space; what is not touched is not there.
const STACK: usize = 256 << 20;

/// A thread that works for one other thread.
struct Helper {
    jobs: Sender<(Bounds, Box<dyn FnOnce() + Send>)>,
    ends: Receiver<Result<(), Stop>>,
}

thread_local! {
    /// The helper of this thread.
    static HELPER: RefCell<Option<Helper>> = const { RefCell::new(None) };
    /// In a helper: where it tells that it ended.
    static END: RefCell<Option<Sender<Result<(), Stop>>>> = const { RefCell::new(None) };
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    static HEAP: UnsafeCell<Heap> = const { UnsafeCell::new(Heap::NEW) };
}

fn run(
    helper: &mut Option<Helper>,
    bounds: Bounds,
    job: Box<dyn FnOnce() + Send>,
) -> Result<(), Stop> {
    let Helper { jobs, ends } = match helper {
        Some(helper) => helper,
        None => helper.insert(Helper::start().map_err(|_| Stop::NoThread)?),
    };
    jobs.send((bounds, job)).expect("a helper waits for jobs");
    let end = ends.recv().expect("a helper tells every end");
    if end.is_err() {
        *helper = None;
    }
    end
}

impl Helper {
    /// Starts a helper with the largest stack that can be had; where memory is short, a small one will mostly do.
    fn start() -> std::io::Result<Helper> {
        Helper::with_stack(STACK)
            .or_else(|_| Helper::with_stack(STACK / 16))
            .or_else(|_| Helper::with_stack(STACK / 128))
    }

    fn with_stack(size: usize) -> std::io::Result<Helper> {
        let (jobs, work) = channel::<(Bounds, Box<dyn FnOnce() + Send>)>();
        let (end, ends) = channel();
        let thread = std::thread::Builder::new().stack_size(size);
        thread.spawn(move || {
            END.set(Some(end.clone()));
            for (bounds, job) in work {
                heap(|heap| (heap.bytes_left, heap.blocks_left) = (bounds.bytes, bounds.blocks));
                DEADLINE.set(Some(deadline(bounds.timeout)));
                job();
                heap(Heap::reset);
                if end.send(Ok(())).is_err() {
                    break;
                }
            }
            heap(|heap| heap.shrink(0));
        })?;
        Ok(Helper { jobs, ends })
    }
}

/// A timeout may be longer than clocks can tell.
fn deadline(timeout: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    Instant::now() + timeout.min(YEAR)
}

/// Gives the work of this thread up if it is out of time.
pub fn check_time() {
    if DEADLINE.get().is_some_and(|end| end < Instant::now()) {
        give_up(Stop::Time);
    }
}

/// How many blocks may still be asked for.
pub fn work_left() -> u64 {
    heap(|heap| heap.blocks_left)
}

/// Ends the work of this thread from wherever it is. What it owned is never freed, but tree-sitter's memory is.
pub fn give_up(stop: Stop) -> ! {
    let end = END.take().expect("only confined work is given up");
    heap(|heap| {
        heap.reset();
        heap.shrink(0);
    });
    let _ = end.send(Err(stop));
    loop {
        std::thread::park();
    }
}

/// What `assert` calls in C: some grammars do so on strange input, and that must not end the program.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn __assert_fail(
    _: *const std::ffi::c_char,
    _: *const std::ffi::c_char,
    _: std::ffi::c_uint,
    _: *const std::ffi::c_char,
) -> ! {
    give_up(Stop::Broken)
}

/// What C promises of every block.
const ALIGN: usize = 16;
/// A block's size, as asked for.
const HEADER: usize = size_of::<usize>();
/// Blocks up to this size have a list for every multiple of [`ALIGN`], larger ones one for every power of two.
const SMALL: usize = 1024;
const LISTS: usize = SMALL / ALIGN + 1 + usize::BITS as usize;
const CHUNK: usize = 1 << 20;
/// Kept from one work to the next.
const KEEP: usize = 16 << 20;

#[repr(C, align(16))]
struct Chunk {
    next: *mut Chunk,
    size: usize,
}

struct Heap {
    /// Free blocks; each holds the address of the next.
    free: [*mut u8; LISTS],
    /// Where the next new block goes, and how much is left behind it in its chunk.
    rest: *mut u8,
    left: usize,
    first: *mut Chunk,
    current: *mut Chunk,
    bytes_left: usize,
    blocks_left: u64,
}

fn heap<R>(work: impl FnOnce(&mut Heap) -> R) -> R {
    // SAFETY: `work` is one of the few lines of this file; none of them comes here again.
    HEAP.with(|heap| work(unsafe { &mut *heap.get() }))
}

/// The list for blocks of `size` bytes, and what one takes with its header.
fn class(size: usize) -> (usize, usize) {
    let stride = size.saturating_add(HEADER + ALIGN - 1) & !(ALIGN - 1);
    if stride <= SMALL {
        return (stride / ALIGN, stride);
    }
    let power = size.checked_next_power_of_two().unwrap_or(usize::MAX >> 1);
    let list = SMALL / ALIGN + 1 + power.trailing_zeros() as usize;
    (list.min(LISTS - 1), power.saturating_add(ALIGN))
}

impl Heap {
    const NEW: Heap = Heap {
        free: [ptr::null_mut(); LISTS],
        rest: ptr::null_mut(),
        left: 0,
        first: ptr::null_mut(),
        current: ptr::null_mut(),
        bytes_left: usize::MAX,
        blocks_left: u64::MAX,
    };

    /// A block of `size` bytes, or which bound it breaks.
    fn take(&mut self, size: usize) -> Result<*mut u8, Stop> {
        let (list, stride) = class(size);
        self.bytes_left = self.bytes_left.checked_sub(stride).ok_or(Stop::Bytes)?;
        self.blocks_left = self.blocks_left.checked_sub(1).ok_or(Stop::Work)?;
        let mut block = self.free[list];
        // SAFETY: a free block holds the address of the next, `rest` has room for `stride` bytes behind it.
        unsafe {
            if !block.is_null() {
                self.free[list] = block.cast::<*mut u8>().read();
            } else {
                if self.left < stride {
                    self.next_chunk(stride);
                }
                block = self.rest;
                self.rest = block.add(stride);
                self.left -= stride;
            }
            block.sub(HEADER).cast::<usize>().write(size);
        }
        Ok(block)
    }

    /// # Safety
    /// `block` came from `take` of this work.
    unsafe fn give(&mut self, block: *mut u8) {
        // SAFETY: as the caller promises.
        let (list, stride) = class(unsafe { size(block) });
        self.bytes_left = self.bytes_left.saturating_add(stride);
        // SAFETY: blocks have room for an address.
        unsafe { block.cast::<*mut u8>().write(self.free[list]) };
        self.free[list] = block;
    }

    /// Goes on in a chunk with room for a block of `stride` bytes.
    fn next_chunk(&mut self, stride: usize) {
        let need = stride.saturating_add(2 * size_of::<Chunk>()).max(CHUNK);
        // SAFETY: chunks in the list are whole; a new one is large enough for its head, and goes behind the current one.
        unsafe {
            let link = match self.current.is_null() {
                true => &raw mut self.first,
                false => &raw mut (*self.current).next,
            };
            let mut chunk = *link;
            if chunk.is_null() || (*chunk).size < need {
                let layout = layout(need);
                chunk = alloc(layout).cast();
                if chunk.is_null() {
                    handle_alloc_error(layout);
                }
                chunk.write(Chunk {
                    next: *link,
                    size: need,
                });
                *link = chunk;
            }
            self.current = chunk;
            // The first block's header lies in front of it.
            self.rest = chunk.add(2).cast();
            self.left = (*chunk).size - 2 * size_of::<Chunk>();
        }
    }

    /// Frees all blocks.
    fn reset(&mut self) {
        self.shrink(KEEP);
        let first = self.first;
        *self = Heap { first, ..Heap::NEW };
    }

    /// Gives chunks beyond `keep` bytes back. No block may be in use.
    fn shrink(&mut self, keep: usize) {
        let (mut link, mut kept) = (&raw mut self.first, 0);
        // SAFETY: chunks in the list are whole and ours, and none is used any more.
        unsafe {
            while !(*link).is_null() {
                let chunk = *link;
                if kept + (*chunk).size <= keep {
                    kept += (*chunk).size;
                    link = &raw mut (*chunk).next;
                } else {
                    *link = (*chunk).next;
                    dealloc(chunk.cast(), layout((*chunk).size));
                }
            }
        }
        (self.current, self.rest, self.left) = (ptr::null_mut(), ptr::null_mut(), 0);
    }
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, ALIGN).expect("bounds are far below half of the address space")
}

/// # Safety
/// `block` came from `Heap::take`.
unsafe fn size(block: *mut u8) -> usize {
    // SAFETY: the size lies in front of every block.
    unsafe { block.sub(HEADER).cast::<usize>().read() }
}

unsafe extern "C" fn arena_malloc(size: usize) -> *mut c_void {
    match heap(|heap| heap.take(size)) {
        Ok(block) => block.cast(),
        Err(stop) => give_up(stop),
    }
}

unsafe extern "C" fn arena_calloc(count: usize, size: usize) -> *mut c_void {
    let size = count.saturating_mul(size);
    // SAFETY: the block has `size` bytes.
    unsafe {
        let block = arena_malloc(size);
        ptr::write_bytes(block.cast::<u8>(), 0, size);
        block
    }
}

unsafe extern "C" fn arena_realloc(block: *mut c_void, new: usize) -> *mut c_void {
    let block = block.cast::<u8>();
    // SAFETY: `block` is null or came from here; a new one has room for the old text.
    unsafe {
        if block.is_null() {
            return arena_malloc(new);
        }
        let old = size(block);
        if class(old) == class(new) {
            block.sub(HEADER).cast::<usize>().write(new);
            return block.cast();
        }
        let larger = arena_malloc(new);
        ptr::copy_nonoverlapping(block, larger.cast(), old.min(new));
        heap(|heap| heap.give(block));
        larger
    }
}

unsafe extern "C" fn arena_free(block: *mut c_void) {
    if !block.is_null() {
        // SAFETY: `block` came from here.
        heap(|heap| unsafe { heap.give(block.cast()) });
    }
}
