//! From paths on the command line to files, found as `rg` finds them, and the work on them spread over threads.
//! Files come in the order of the arguments, each folder sorted by path components; the order of the output is the same
//! whatever the number of threads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};

use crate::lang::{Language, REGISTRY};

/// Name of the cache folder; never walked into.
pub const CACHE_FOLDER: &str = ".ast_outline_cache";

#[derive(Debug, Default, Clone)]
pub struct Options {
    pub globs: Vec<String>,
    /// Empty for all languages.
    pub languages: Vec<&'static str>,
    pub not_languages: Vec<&'static str>,
    /// Files of formats we do not know, too.
    pub any_format: bool,
    /// Types of files as `rg` has them, beside our languages.
    pub types: Option<Types>,
    pub no_ignore: bool,
    pub hidden: bool,
    pub follow: bool,
    pub max_filesize: Option<u64>,
}

/// One file to read, or what went wrong on the way to it.
pub struct Found {
    pub path: PathBuf,
    /// Named by the user, not met in a folder: always read, and an unknown format is an error.
    pub named: bool,
    pub error: Option<io::Error>,
}

/// Walks `paths` in order.
///
/// # Errors
/// If a glob does not parse.
pub fn files(
    paths: Vec<PathBuf>,
    options: Options,
) -> Result<impl Iterator<Item = Found> + Send, ignore::Error> {
    let mut overrides = OverrideBuilder::new("");
    for glob in &options.globs {
        overrides.add(glob)?;
    }
    overrides.build()?;
    Ok(paths.into_iter().flat_map(move |path| {
        let found: Box<dyn Iterator<Item = Found> + Send> = match path.is_dir() {
            true => Box::new(folder(path, &options)),
            false => Box::new(std::iter::once(Found {
                error: std::fs::metadata(&path).err(),
                path,
                named: true,
            })),
        };
        found
    }))
}

/// The types of files that `rg` knows, and our languages where it knows none of that name.
pub fn types() -> TypesBuilder {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    let known: Vec<String> = types
        .definitions()
        .iter()
        .map(|definition| definition.name().to_string())
        .collect();
    for language in REGISTRY {
        let names = [language.name].into_iter();
        let names = names.chain(language.aliases.iter().copied());
        for name in names.filter(|name| !known.iter().any(|known| known == name)) {
            for extension in language.extensions {
                // A name with other signs than letters is none that `-t` could be given: it is left out.
                let _ = types.add(name, &format!("*.{extension}"));
            }
        }
    }
    types
}

fn folder(root: PathBuf, options: &Options) -> impl Iterator<Item = Found> + Send + use<> {
    let mut overrides = OverrideBuilder::new(&root);
    for glob in &options.globs {
        overrides.add(glob).expect("checked before the walk");
    }
    let mut builder = WalkBuilder::new(&root);
    builder
        .standard_filters(!options.no_ignore)
        .hidden(!options.hidden)
        .follow_links(options.follow)
        .max_filesize(options.max_filesize)
        .overrides(overrides.build().expect("checked before the walk"))
        .filter_entry(|entry| entry.file_name() != CACHE_FOLDER)
        .sort_by_file_name(Ord::cmp);
    builder.types(options.types.clone().unwrap_or_else(Types::empty));
    let any = options.any_format;
    let (languages, others) = (options.languages.clone(), options.not_languages.clone());
    builder.build().filter_map(move |entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let wanted = is_file && (any || is_known(entry.path(), &languages, &others));
            wanted.then(|| Found {
                path: entry.into_path(),
                named: false,
                error: None,
            })
        }
        Err(error) => Some(failed(&root, error)),
    })
}

fn failed(root: &Path, error: ignore::Error) -> Found {
    fn path_of(error: &ignore::Error) -> Option<PathBuf> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path.clone()),
            ignore::Error::Loop { child, .. } => Some(child.clone()),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                path_of(err)
            }
            ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
            _ => None,
        }
    }
    let path = path_of(&error).unwrap_or_else(|| root.to_path_buf());
    let message = error.to_string();
    let error = error
        .into_io_error()
        .unwrap_or_else(|| io::Error::other(message));
    Found {
        path,
        named: false,
        error: Some(error),
    }
}

/// Whether a file met in a folder is in a language we know, and one that was asked for.
fn is_known(path: &Path, languages: &[&str], others: &[&str]) -> bool {
    let language = Language::by_path(path).or_else(|| {
        if path.extension().is_none() {
            by_first_line(path)
        } else {
            None
        }
    });
    language.is_some_and(|language| {
        (languages.is_empty() || languages.contains(&language.name))
            && !others.contains(&language.name)
    })
}

fn by_first_line(path: &Path) -> Option<&'static Language> {
    let mut line = vec![];
    BufReader::new(File::open(path).ok()?.take(256))
        .read_until(b'\n', &mut line)
        .ok()?;
    Language::by_shebang(&line)
}

/// Runs `work` on every item with `threads` threads and hands the results to `emit` in the order of the items.
/// No thread runs further ahead than `window` items, which bounds the memory. Stops when `emit` fails.
///
/// # Errors
/// The first error of `emit`.
pub fn in_order<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    window: usize,
    work: impl Fn(T) -> R + Sync,
    mut emit: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    if threads <= 1 {
        return items.map(work).try_for_each(emit);
    }
    let items = Mutex::new(items.enumerate());
    let queue = Queue {
        state: Mutex::new(State {
            done: BTreeMap::new(),
            next: 0,
            running: threads,
            waiting: 0,
            stop: false,
        }),
        done: Condvar::new(),
        printed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let _leave = Leave(&queue);
                loop {
                    let next = items.lock().expect("the walk does not panic").next();
                    let Some((index, item)) = next else { return };
                    if !queue.put(index, work(item), window) {
                        return;
                    }
                }
            });
        }
        while let Some(result) = queue.take() {
            if let Err(error) = emit(result) {
                queue.stop();
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Results on their way from the workers to the one thread that prints.
struct Queue<R> {
    state: Mutex<State<R>>,
    /// Told to the one that prints. Not of every result: most files of a search have none, and waking it costs more than
    /// reading one of them.
    done: Condvar,
    /// Told to workers that are too far ahead.
    printed: Condvar,
}

struct State<R> {
    done: BTreeMap<usize, R>,
    /// Index of the result printed next.
    next: usize,
    running: usize,
    /// Workers that are too far ahead.
    waiting: usize,
    stop: bool,
}

impl<R> Queue<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state
            .lock()
            .expect("no thread panics with the lock held")
    }

    /// Waits until `index` is inside the window. False where the run is over.
    fn put(&self, index: usize, result: R, window: usize) -> bool {
        let full = |state: &mut State<R>| index >= state.next + window && !state.stop;
        let mut state = self.lock();
        if full(&mut state) {
            state.waiting += 1;
            state = self
                .printed
                .wait_while(state, full)
                .expect("no thread panics with the lock held");
            state.waiting -= 1;
        }
        state.done.insert(index, result);
        // Where all up to the window are done, enough are: nobody waits for ever.
        if state.done.len() > window / 4 && state.done.contains_key(&state.next) {
            self.done.notify_one();
        }
        !state.stop
    }

    /// The next result in order, or none when all is done.
    fn take(&self) -> Option<R> {
        let missing = |state: &mut State<R>| {
            !state.done.contains_key(&state.next) && state.running > 0 && !state.stop
        };
        let mut state = self
            .done
            .wait_while(self.lock(), missing)
            .expect("no thread panics with the lock held");
        let next = state.next;
        let result = state.done.remove(&next)?;
        state.next += 1;
        if state.waiting > 0 {
            self.printed.notify_all();
        }
        Some(result)
    }

    fn stop(&self) {
        self.lock().stop = true;
        self.printed.notify_all();
    }
}

/// Counts a worker out. One that panics ends the run: its result will never come, and the others would wait for that in vain.
struct Leave<'q, R>(&'q Queue<R>);

impl<R> Drop for Leave<'_, R> {
    fn drop(&mut self) {
        if let Ok(mut state) = self.0.state.lock() {
            state.running -= 1;
            state.stop |= std::thread::panicking();
        }
        self.0.done.notify_one();
        self.0.printed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_in_a_worker_ends_the_run() {
        let work = |item| assert_ne!(item, 3);
        let _ = in_order(0..1000, 2, 8, work, |()| Ok(()));
    }
}
