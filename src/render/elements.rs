//! Which keys stand in the elements of a sequence: those are indented and the first of each element is marked, as a list
//! is written, or two records in a row would read as one.

use crate::model::{Item, Kind, Outline};
use crate::view::View;

pub struct Elements<'a> {
    wanted: bool,
    /// The element met last at each depth.
    met: Vec<Option<&'a str>>,
}

impl<'a> Elements<'a> {
    /// Only the views that show keys one by one tell elements apart.
    pub fn new(view: View) -> Elements<'a> {
        Elements {
            wanted: view <= View::Signatures,
            met: vec![],
        }
    }

    /// The element of a sequence, or the document of a stream, in which a key stands without a key in between.
    pub fn of(&self, outline: &'a Outline, item: &'a Item) -> Option<&'a str> {
        if !self.wanted || item.kind != Kind::Key {
            return None;
        }
        let (element, _) = item.qualname.rsplit_once('/')?;
        let parent = item
            .parent
            .map_or("", |id| &outline.items[id as usize].qualname);
        let inside = element.strip_prefix(parent)?;
        let is_number = |part: &str| {
            part.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b':')
        };
        (!inside.is_empty() && inside.split('/').all(is_number)).then_some(element)
    }

    /// Whether an element was not met before at this depth.
    pub fn is_first(&mut self, element: Option<&'a str>, depth: usize) -> bool {
        let depths = self.met.len().max(depth + 1);
        self.met.resize(depths, None);
        let before = std::mem::replace(&mut self.met[depth], element);
        element.is_some() && before != element
    }
}
