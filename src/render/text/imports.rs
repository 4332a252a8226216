//! The line of imports: one name a line is how some languages import ten names of one module.

use std::io;

use super::{Options, Printer};
use crate::render::visible;

/// Names listed of one import before only the module is named.
const MAX_IMPORTED: usize = 3;

impl Printer<'_, '_> {
    pub(super) fn imports(&mut self, options: &Options) -> io::Result<()> {
        let imports = &self.file.outline.imports;
        if !options.imports || imports.is_empty() || !self.plan.imports {
            return Ok(());
        }
        let separator = self
            .file
            .language
            .grammar()
            .map_or("", |grammar| grammar.separator);
        let mut grouped: Vec<(&str, Vec<&str>)> = vec![];
        for import in imports {
            let names = import.names.iter().map(String::as_str);
            match grouped
                .iter_mut()
                .find(|(module, known)| *module == import.module && !known.is_empty())
            {
                Some((_, known)) if !import.names.is_empty() => known.extend(names),
                _ => grouped.push((&import.module, names.collect())),
            }
        }
        let modules: Vec<String> = grouped
            .iter()
            .map(|(module, names)| imported(module, names, separator))
            .collect();
        writeln!(self.out, "imports: {}", visible(&modules.join(", ")))
    }
}

/// `smtplib`, `typing.List`, `std::{fmt, ops}`, `./price {Price}`.
fn imported(module: &str, names: &[&str], separator: &str) -> String {
    let is_path = module.contains('/') || separator.is_empty();
    let joiner = if module.ends_with(['.', ':']) {
        ""
    } else {
        separator
    };
    match names.len() {
        0 => module.to_string(),
        1 if !is_path => format!("{module}{joiner}{}", names[0]),
        1..=MAX_IMPORTED if is_path => format!("{module} {{{}}}", names.join(", ")),
        2..=MAX_IMPORTED => format!("{module}{joiner}{{{}}}", names.join(", ")),
        _ => module.to_string(),
    }
}
