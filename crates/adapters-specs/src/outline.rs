//! Markdown as a flat list of blocks with their lines. What a block means is for the module of its tool.

use crate::wording::{one_line, with};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The most blocks of one file; what comes after them is not looked at.
pub(crate) const MOST_BLOCKS: usize = 20_000;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A heading of that level.
    Heading(u8),
    /// A paragraph, also one inside an item.
    Paragraph,
    /// An item of a list: how deep, and its number in an ordered list.
    Item { depth: usize, number: Option<u64> },
    /// Code between fences or indented.
    Code,
    /// A row of a table, cells with ` | ` between.
    Row,
}

/// One block. Code inside text keeps its backticks, emphasis is gone, line breaks stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The text between backticks.
    pub(crate) codes: Vec<String>,
    /// Its first and last line.
    pub(crate) lines: (usize, usize),
    /// It is a task: whether it is ticked.
    pub(crate) ticked: Option<bool>,
}

impl Block {
    /// The level of a heading.
    pub(crate) fn level(&self) -> Option<u8> {
        match self.kind {
            Kind::Heading(level) => Some(level),
            _ => None,
        }
    }

    /// How deep an item is.
    pub(crate) fn depth(&self) -> Option<usize> {
        match self.kind {
            Kind::Item { depth, .. } => Some(depth),
            _ => None,
        }
    }
}

/// The blocks of a text.
pub(crate) fn outline(text: &str) -> Vec<Block> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
        .collect();
    let mut builder = Builder {
        source: text,
        starts,
        blocks: Vec::new(),
        sink: None,
        items: Vec::new(),
        lists: Vec::new(),
        mute: 0,
    };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if builder.blocks.len() >= MOST_BLOCKS {
            break;
        }
        builder.take(event, range);
    }
    builder.blocks
}

/// Whether a text has more blocks than are looked at. A block has two bytes at least.
pub(crate) fn is_cut(text: &str) -> bool {
    text.len() / 2 >= MOST_BLOCKS && outline(text).len() >= MOST_BLOCKS
}

/// How many tasks are ticked, and how many there are.
pub(crate) fn ticked(blocks: &[Block]) -> (usize, usize) {
    let tasks = || blocks.iter().filter_map(|block| block.ticked);
    (tasks().filter(|done| *done).count(), tasks().count())
}

/// What a block says, and how many blocks below it belong to that: a text that introduces a list has the items of the
/// list. Nothing where it introduces nothing.
pub(crate) fn whole(blocks: &[Block], at: usize) -> Option<(String, usize)> {
    let block = blocks.get(at)?;
    let text = one_line(&block.text);
    if !text.ends_with([':', '：']) {
        return Some((text, 0));
    }
    let below = blocks.get(at + 1..).unwrap_or_default();
    let least =
        block.depth().map_or_else(|| below.first().and_then(Block::depth).unwrap_or(1), |depth| depth + 1);
    let items: Vec<&Block> =
        below.iter().take_while(|item| item.depth().is_some_and(|depth| depth >= least)).collect();
    let said = items.iter().map(|item| one_line(&item.text)).filter(|text| !text.is_empty());
    let said = said.reduce(|all, text| with(&all, &text))?;
    Some((one_line(&format!("{text} {said}")), items.len()))
}

struct Builder<'t> {
    source: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
    blocks: Vec<Block>,
    /// The block that text goes to.
    sink: Option<usize>,
    /// The open items.
    items: Vec<usize>,
    /// The next number of each open list.
    lists: Vec<Option<u64>>,
    /// How many things are open whose text says nothing.
    mute: usize,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, range: std::ops::Range<usize>) {
        match event {
            Event::Start(Tag::Emphasis) => self.mark(range.start, 1, &range),
            Event::Start(Tag::Strong) => self.mark(range.start, 2, &range),
            Event::End(TagEnd::Emphasis) => self.mark(range.end.saturating_sub(1), 1, &range),
            Event::End(TagEnd::Strong) => self.mark(range.end.saturating_sub(2), 2, &range),
            Event::Start(tag) => self.start(&tag, range.start),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.add(&text, &range),
            Event::Code(code) => {
                self.add(&format!("`{code}`"), &range);
                let codes = self.sink.and_then(|at| self.blocks.get_mut(at)).map(|block| &mut block.codes);
                codes.into_iter().for_each(|codes| codes.push(code.to_string()));
            }
            Event::SoftBreak | Event::HardBreak => self.add("\n", &range),
            Event::InlineHtml(html) if !html.starts_with("<!--") => self.add(&html, &range),
            Event::TaskListMarker(done) => {
                if let Some(block) = self.sink.and_then(|at| self.blocks.get_mut(at)) {
                    block.ticked = Some(done);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, at: usize) {
        match tag {
            Tag::Heading { level, .. } => self.open(Kind::Heading(depth_of(*level)), at),
            Tag::Paragraph => match self.items.last().copied().filter(|item| self.is_empty(*item)) {
                Some(item) => self.sink = Some(item),
                None => self.open(Kind::Paragraph, at),
            },
            Tag::List(first) => {
                self.lists.push(*first);
                self.sink = None;
            }
            Tag::Item => {
                let number = self.lists.last().copied().flatten();
                if let Some(next) = self.lists.last_mut() {
                    *next = number.map(|number| number.saturating_add(1));
                }
                self.open(Kind::Item { depth: self.lists.len(), number }, at);
                self.items.push(self.blocks.len().saturating_sub(1));
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => self.open(Kind::Code, at),
            Tag::TableHead | Tag::TableRow => self.open(Kind::Row, at),
            Tag::MetadataBlock(_) | Tag::HtmlBlock => self.mute += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::CodeBlock
            | TagEnd::TableHead
            | TagEnd::TableRow => {
                self.sink = None;
            }
            TagEnd::TableCell => {
                if let Some(block) = self.sink.and_then(|at| self.blocks.get_mut(at)) {
                    block.text.push_str(" | ");
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.sink = None;
            }
            TagEnd::Item => {
                self.items.pop();
                self.sink = None;
            }
            TagEnd::MetadataBlock(_) | TagEnd::HtmlBlock => self.mute = self.mute.saturating_sub(1),
            _ => {}
        }
    }

    /// A mark of emphasis: text where it is inside of a word.
    fn mark(&mut self, at: usize, signs: usize, range: &std::ops::Range<usize>) {
        let (place, source) = (at..at + signs, self.source);
        if let Some(marks) = source.get(place.clone()).filter(|_| self.is_in_word(range)) {
            self.add(marks, &place);
        }
    }

    /// Whether underscores around this part are signs of a longer word, such as a path.
    fn is_in_word(&self, range: &std::ops::Range<usize>) -> bool {
        let inside = self.source.get(range.clone()).unwrap_or_default();
        let before = self.source.get(..range.start).and_then(|text| text.chars().next_back());
        let after = self.source.get(range.end..).unwrap_or_default();
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '/' | '\\' | '-' | '_');
        inside.starts_with('_')
            && (before.is_some_and(|c| joins(c) || c == '.')
                || after.strip_prefix('.').unwrap_or(after).starts_with(joins))
    }

    fn is_empty(&self, at: usize) -> bool {
        self.blocks.get(at).is_some_and(|block| block.text.is_empty())
    }

    fn open(&mut self, kind: Kind, at: usize) {
        let line = self.line(at);
        self.blocks.push(Block {
            kind,
            text: String::new(),
            codes: Vec::new(),
            lines: (line, line),
            ticked: None,
        });
        self.sink = Some(self.blocks.len() - 1);
    }

    fn add(&mut self, text: &str, range: &std::ops::Range<usize>) {
        if self.mute > 0 {
            return;
        }
        if self.sink.is_none() {
            self.open(Kind::Paragraph, range.start);
        }
        let last = self.line(range.end.saturating_sub(1).max(range.start));
        if let Some(block) = self.sink.and_then(|at| self.blocks.get_mut(at)) {
            block.text.push_str(text);
            block.lines.1 = block.lines.1.max(last);
        }
    }

    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1)
    }
}

fn depth_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
