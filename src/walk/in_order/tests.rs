//! What the header of `in_order.rs` argues, tried: each run ends, in order, within its memory, however it ends.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::in_order;

/// Threads, windows: the smallest, windows below and above a quarter's rounding, more threads than window.
const SHAPES: [(usize, usize); 9] = [
    (1, 64),
    (2, 1),
    (2, 2),
    (2, 4),
    (3, 5),
    (4, 64),
    (8, 1),
    (8, 3),
    (16, 64),
];

/// Fails where `run` hangs: then it is a deadlock that is to be reported, not waited for.
fn ends<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let runner = thread::spawn(move || sender.send(run()));
    let answer = receiver.recv_timeout(Duration::from_secs(60));
    let answer = answer.expect("it ends, and does not panic");
    runner.join().expect("it ended").expect("it was received");
    answer
}

/// Takes longer for some items, so that they come out of order.
fn uneven(item: usize) -> usize {
    match item % 17 {
        0 => thread::sleep(Duration::from_micros(300)),
        5 => thread::yield_now(),
        _ => {}
    }
    item
}

#[test]
fn results_come_in_order() {
    for (threads, window) in SHAPES {
        for count in [0, 1, 2, 15, 16, 17, 64, 65, 1000] {
            let came = ends(move || {
                let mut came = vec![];
                let emit = |item| {
                    came.push(item);
                    Ok(())
                };
                in_order(0..count, threads, window, uneven, emit).expect("nothing fails");
                came
            });
            let expected: Vec<usize> = (0..count).collect();
            assert_eq!(came, expected, "{threads} threads, window {window}");
        }
    }
}

/// Counts itself among those that there are, and out.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// However slow the printer or an item is.
#[test]
fn memory_is_bounded_by_the_window() {
    for (threads, window) in SHAPES {
        let most = ends(move || {
            let (there, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let slow = |item: usize| {
                if item.is_multiple_of(100) {
                    thread::sleep(Duration::from_millis(2));
                }
            };
            let work = |item| {
                slow(item);
                most.fetch_max(there.fetch_add(1, SeqCst) + 1, SeqCst);
                (item, Counted(&there))
            };
            let emit = |(item, _counted)| {
                slow(item + 50);
                Ok(())
            };
            in_order(0..500, threads, window, work, emit).expect("nothing fails");
            most.into_inner()
        });
        // In the queue, in the hands of the workers, in those of the printer.
        let bound = window + threads + 1;
        assert!(most <= bound, "{most}: {threads} threads, window {window}");
    }
}

#[test]
fn a_closed_pipe_ends_the_run() {
    for (threads, window) in SHAPES {
        for last in [0, 1, 40] {
            let (error, came, begun) = ends(move || {
                let (mut came, begun) = (0, AtomicUsize::new(0));
                let work = |item| {
                    begun.fetch_add(1, SeqCst);
                    uneven(item)
                };
                let emit = |item| {
                    came += 1;
                    match item == last {
                        true => Err(io::ErrorKind::BrokenPipe.into()),
                        false => Ok(()),
                    }
                };
                // Without end: the run has to.
                let error = in_order(0.., threads, window, work, emit).expect_err("it is closed");
                (error, came, begun.into_inner())
            });
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
            assert_eq!(came, last + 1, "{threads} threads, window {window}");
            assert!(
                begun <= last + 1 + window + threads,
                "{begun} items were begun"
            );
        }
    }
}

/// In a worker, in the printer, in the walk: the caller gets the panic, and nobody waits.
#[test]
fn a_panic_ends_the_run() {
    for (threads, window) in SHAPES {
        for at in [0, 3, 200] {
            for place in ["work", "emit", "walk"] {
                let (panicked, came) = ends(move || {
                    let fail = |here: &str, item: usize| {
                        // Not `panic!`, whose message would drown the output of the tests.
                        if here == place && item == at {
                            std::panic::resume_unwind(Box::new("on purpose"));
                        }
                    };
                    let mut came = vec![];
                    let run = AssertUnwindSafe(|| {
                        let items = (0..).inspect(|&item| fail("walk", item));
                        let work = |item| {
                            fail("work", item);
                            uneven(item)
                        };
                        in_order(items, threads, window, work, |item| {
                            fail("emit", item);
                            came.push(item);
                            Ok(())
                        })
                    });
                    (catch_unwind(run).is_err(), came)
                });
                assert!(panicked, "{threads} threads, window {window}, {place} {at}");
                let expected: Vec<usize> = (0..came.len()).collect();
                assert_eq!(came, expected, "{threads} threads, window {window}");
                assert!(came.len() <= at, "{} results came", came.len());
            }
        }
    }
}
