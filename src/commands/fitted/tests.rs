//! With more to spend, no view is coarser, and within one, what is shown finer is never worth less.

use std::path::{Path, PathBuf};

use super::*;
use crate::lang::detect;
use crate::outline::{Limits, outline};
use crate::source::Source;

/// Budgets apart by no more than one line takes, and far apart.
fn budgets() -> impl Iterator<Item = usize> {
    (20..600).step_by(13).chain((600..9000).step_by(411))
}

/// Files under a folder, `CORPUS` if that is set.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("CORPUS").map(PathBuf::from);
    let few = corpus.is_none();
    let mut folders = corpus.map_or_else(
        || vec![root.join("fixtures"), root.join("src")],
        |it| vec![it],
    );
    let mut files = vec![];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it can be read").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => files.push(path),
            }
        }
    }
    files.sort();
    let step = if few { 60 } else { 1 };
    files.into_iter().step_by(step).collect()
}

#[test]
fn more_budget_is_never_worth_less() {
    let mut looked = 0;
    for path in files() {
        let Ok(source) = Source::read(&path) else {
            continue;
        };
        let Some(language) = detect(&path, &source) else {
            continue;
        };
        let outline = outline(&source, language, &Limits::default());
        let file = File {
            path: "a".into(),
            path_bytes: None,
            language,
            version: source.version(),
            bytes: source.len(),
            outline: &outline,
            source: Some(&source),
            summary: None,
            pointer: None,
            each: None,
        };
        for (json, start, finest) in [
            (false, View::Full, Level::Whole),
            (true, View::Full, Level::Whole),
            (false, View::Docs, Level::Docs),
        ] {
            looked += 1;
            climbs(&path, &file, json, start, finest);
        }
    }
    assert!(looked > 10, "only {looked} ladders");
}

fn climbs(path: &Path, file: &File<'_>, json: bool, start: View, finest: Level) {
    let shape = Shape::Text { focus: &[] };
    let text = text::Options {
        imports: true,
        fence: false,
    };
    let filter = Filter {
        ..Filter::default()
    };
    let wish = Wish {
        references: None,
        budget: Some(1),
        strict: false,
        tokenizer: Tokenizer::O200k,
        requested: None,
        start,
        finest,
        json,
        text: &text,
        schema: "test",
        command: Some("ast-outline read a".to_string()),
        since: None,
        generated: None,
    };
    let source = file.source.map_or(&[][..], Source::text);
    let worths = worths(file.outline, source, &|_| false, None);
    let mut last: Option<(View, u64, usize)> = None;
    for budget in budgets() {
        let wish = Wish {
            budget: Some(budget),
            text: wish.text,
            command: wish.command.clone(),
            references: None,
            ..wish
        };
        let printed = Printed {
            file,
            wish: &wish,
            whole: shape.plan(file.outline, start, &filter),
            ladder: RefCell::default(),
            places: text::Places::new(file.outline, start),
        };
        let rungs = printed.climb(&filter, shape);
        let asked = Asked {
            budget,
            start,
            finest,
        };
        let fitted = fit(file.outline, rungs, asked, &worths, &printed);
        let levels = fitted.plan.levels.iter().zip(&worths);
        let worth: u64 = levels.map(|(level, worth)| level.worth() * worth).sum();
        let now = (fitted.plan.view, worth, budget);
        if let Some(last) = last {
            let finer = now.0 < last.0 || now.0 == last.0 && now.1 >= last.1;
            assert!(
                finer,
                "{}: {now:?} after {last:?}, JSON: {json}",
                path.display()
            );
        }
        last = Some(now);
    }
}
