//! markdown: read by a scanner.

use super::{Language, Reader};
use crate::model::Outline;
use crate::source::Source;

pub static MARKDOWN: Language = Language {
    name: "markdown",
    aliases: &["md"],
    extensions: &["md", "markdown", "mdx", "mkd"],
    file_names: &[],
    interpreters: &[],
    sniff: None,
    reader: Reader::Scanner(scan),
};

fn scan(_: &Source) -> Outline {
    Outline::default()
}
