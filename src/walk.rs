//! From paths on the command line to files, found as `rg` finds them, in the order of the arguments, each folder sorted by
//! path components. The work on them is spread over threads in `in_order`.

mod in_order;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};

use crate::lang::{Language, REGISTRY};

pub use in_order::in_order;

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
    /// Folders, too: those that are walked into.
    pub folders: bool,
    /// No deeper than this below a folder: 1 for what lies in it.
    pub max_depth: Option<usize>,
}

/// One file to read, or what went wrong on the way to it.
pub struct Found {
    pub path: PathBuf,
    /// Named by the user, not met in a folder: always read, and an unknown format is an error.
    pub named: bool,
    pub error: Option<io::Error>,
    pub folder: bool,
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
                folder: false,
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
        .max_depth(options.max_depth)
        .overrides(overrides.build().expect("checked before the walk"))
        .filter_entry(|entry| entry.file_name() != CACHE_FOLDER)
        .sort_by_file_name(Ord::cmp);
    builder.types(options.types.clone().unwrap_or_else(Types::empty));
    let (any, folders) = (options.any_format, options.folders);
    let (languages, others) = (options.languages.clone(), options.not_languages.clone());
    builder.build().filter_map(move |entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let folder = folders && entry.file_type().is_some_and(|kind| kind.is_dir());
            let wanted = is_file && (any || is_known(entry.path(), &languages, &others));
            (wanted || folder).then(|| Found {
                path: entry.into_path(),
                named: false,
                error: None,
                folder,
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
        folder: false,
    }
}

/// Whether a file met in a folder is in a language we know, and one that was asked for.
fn is_known(path: &Path, languages: &[&str], others: &[&str]) -> bool {
    let language = Language::by_path(path).or_else(|| script(path));
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

/// The language of a file without an extension, by the program that its first line names.
pub fn script(path: &Path) -> Option<&'static Language> {
    match path.extension() {
        None => by_first_line(path),
        Some(_) => None,
    }
}
