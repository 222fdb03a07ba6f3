//! The screen, drawn from the model and nothing else.
//!
//! Narrow screens have the list above the request, wide ones beside it. Every text of others is inert before it gets
//! here (`inert`, `review`).

mod list;
mod palette;
mod request;
mod reviewing;
mod text;
mod trusting;

use bailiwick_domain::Amended;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph};

use super::model::{BROAD_KEY, Broad, Measured, Mode, Model};
use crate::command::answers::breadth::Twice;
use crate::command::judged::Trouble;
use crate::command::surface::{Item, words};
use crate::counted::counted;
pub(super) use palette::Palette;
use text::{both_ends, columns, cut, cut_spans, rule, wrapped};

/// From this width on the list is beside the request.
const WIDE: u16 = 120;

/// Draws the whole screen; says how far the shown request reaches.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, palette: &Palette) -> Measured {
    let area = frame.area();
    let foot = foot(model, usize::from(area.width), palette);
    let foot_height = u16::try_from(foot.len()).unwrap_or(u16::MAX).min(area.height);
    let [top, middle] = rows(area, 1);
    let (middle, bottom) = split_bottom(middle, foot_height);
    put(frame, top, vec![header(model, usize::from(area.width), palette)]);
    put(frame, bottom, foot);
    let measured = if let Some(review) = model.reviewed() {
        reviewing::draw(frame, model, review, middle, palette)
    } else if model.requests.is_empty() {
        put(frame, middle, idle(model, middle, palette));
        Measured::default()
    } else if area.width >= WIDE && !model.whole {
        beside(frame, model, middle, palette)
    } else {
        above(frame, model, middle, palette)
    };
    match &model.mode {
        Mode::Help => popup(frame, middle, help(usize::from(area.width), palette), palette),
        Mode::Confirming(ids) => popup(frame, middle, confirmation(model, ids, palette), palette),
        Mode::Accepting(_, draft, change, _) => {
            popup(frame, middle, edited(draft, change, middle, palette), palette);
        }
        Mode::Broad(asked) => popup(frame, middle, broad(asked, usize::from(middle.width), palette), palette),
        Mode::Trusting(id, command) => {
            let asked = model.requests.iter().find(|item| item.id() == id);
            let files = asked.map(|item| item.approval.request.allowed_files()).unwrap_or_default();
            popup(frame, middle, trusting::question(command, files, middle, palette), palette);
        }
        Mode::Revoking(ids) => popup(frame, middle, revoking(model, ids, palette), palette),
        Mode::Reviewing(_) => {
            if let Some((state, item)) = model.reviewed()
                && let Some(back) = state.asked.as_ref().map(|asked| &asked.back)
            {
                popup(frame, middle, reviewing::question(item, back, palette), palette);
            }
        }
        Mode::Reading | Mode::Feedback(..) | Mode::Granting(..) => {}
    }
    measured
}

/// The first `height` rows of an area, and the rest.
fn rows(area: Rect, height: u16) -> [Rect; 2] {
    let height = height.min(area.height);
    [
        Rect { height, ..area },
        Rect { y: area.y.saturating_add(height), height: area.height.saturating_sub(height), ..area },
    ]
}

fn split_bottom(area: Rect, height: u16) -> (Rect, Rect) {
    let [top, bottom] = rows(area, area.height.saturating_sub(height));
    (top, bottom)
}

fn put(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'static>>) {
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
}

fn header(model: &Model, width: usize, palette: &Palette) -> Line<'static> {
    let waiting = match model.requests.len() {
        0 if model.trouble.is_some() => String::new(),
        0 => "nothing waits".to_owned(),
        1 => "1 waits".to_owned(),
        count => format!("{count} wait"),
    };
    let style = if model.requests.is_empty() { palette.good } else { palette.mark };
    let paused = model.pause.as_ref().map_or_else(String::new, |pause| {
        let left = pause.until.unix_ms().saturating_sub(model.now.unix_ms()).max(0);
        format!("PAUSED by {}, {} min left  ", crate::inert::line(&pause.by), left / 60_000 + 1)
    });
    let trouble = model.trouble.as_ref().map_or_else(String::new, |trouble| {
        let gap = if waiting.is_empty() { "" } else { "  " };
        format!("{}{gap}", trouble.effect)
    });
    let left = vec![
        Span::styled("Bailiwick  ", palette.heading),
        Span::styled(paused, palette.mark),
        Span::styled(trouble, palette.alarm),
        Span::styled(waiting, style),
        Span::styled(format!("  {}", agents_in_words(model)), palette.faint),
        Span::styled(format!("  {}", crate::inert::line(&model.root)), palette.faint),
    ];
    let bell = if model.rings { "bell on  " } else { "" };
    let right = vec![Span::styled(bell, palette.faint), Span::styled("?", palette.key), Span::raw(" help")];
    both_ends(left, right, width)
}

fn agents_in_words(model: &Model) -> String {
    let agents = match model.agents.len() {
        0 => "no agents".to_owned(),
        count => counted(count, "agent", "agents"),
    };
    let grants = match model.grants.len() {
        0 => agents,
        count => format!("{agents}, {}", counted(count, "grant", "grants")),
    };
    match model.reviews.len() {
        0 => grants,
        count => format!("{grants}, {count} to review"),
    }
}

/// What is shown while nothing waits: why nothing can, if so.
fn idle(model: &Model, area: Rect, palette: &Palette) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let mut lines = match &model.trouble {
        Some(trouble) => troubled(trouble, width, palette),
        None => vec![Line::styled("Nothing waits for an answer.", palette.good)],
    };
    if model.trouble.is_none() && !model.is_printed {
        let stay = cut("Leave this open while agents work: they wait for it.", width);
        lines.push(Line::styled(stay, palette.faint));
    }
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len());
    lines.extend(list::agents(model, width, room, palette));
    lines
}

/// Why calls are not judged, and the next step.
fn troubled(trouble: &Trouble, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let why = format!("{}: {}", trouble.effect, crate::inert::line(&trouble.why));
    let styled = |text: &str, style| {
        text::wrapped_words(text, width).into_iter().map(move |row| Line::styled(row, style))
    };
    styled(&why, palette.alarm).chain(styled(&crate::inert::line(&trouble.next), palette.mark)).collect()
}

/// List and agents on the left, the request on the right.
fn beside(frame: &mut Frame<'_>, model: &Model, area: Rect, palette: &Palette) -> Measured {
    let left = Rect { width: (area.width / 3).clamp(38, 56), ..area };
    let right = Rect { x: area.x + left.width + 1, width: area.width.saturating_sub(left.width + 1), ..area };
    let width = usize::from(left.width).saturating_sub(1);
    let agents = list::agents(model, width, usize::from(area.height / 3), palette);
    let agents_height = u16::try_from(agents.len()).unwrap_or(0);
    let (upper, lower) = split_bottom(left, agents_height);
    let mut requests = vec![rule("Requests", &position(model), width, palette.rule)];
    requests.extend(list::tall_rows(model, width, usize::from(upper.height).saturating_sub(1), palette));
    put(frame, upper, requests);
    put(frame, lower, agents);
    let line = Rect { x: area.x + left.width.saturating_sub(1), width: 1, ..area };
    put(frame, line, vec![Line::styled("│", palette.rule); usize::from(area.height)]);
    shown(frame, model, right, palette)
}

/// The list above the request; only the request when it fills the screen.
fn above(frame: &mut Frame<'_>, model: &Model, area: Rect, palette: &Palette) -> Measured {
    if model.whole {
        return shown(frame, model, area, palette);
    }
    let width = usize::from(area.width);
    let room = model.requests.len().min(usize::from(area.height / 5).max(1));
    let mut lines = list::rows(model, width, room, palette);
    lines.push(rule("", &position(model), width, palette.rule));
    let [upper, lower] = rows(area, u16::try_from(lines.len()).unwrap_or(u16::MAX));
    put(frame, upper, lines);
    shown(frame, model, lower, palette)
}

fn position(model: &Model) -> String {
    let marked =
        if model.marked.is_empty() { String::new() } else { format!(", {} marked", model.marked.len()) };
    format!("{} of {}{marked}", model.position().map_or(0, |at| at + 1), model.requests.len())
}

/// The request itself.
fn shown(frame: &mut Frame<'_>, model: &Model, area: Rect, palette: &Palette) -> Measured {
    let Some(item) = model.shown() else { return Measured::default() };
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let (head, above) = match model.whole {
        // Here the reason scrolls with the change, so that all of both can be read.
        true => (request::top(model, item, width, palette), request::why(item, width, palette)),
        false => (facts(model, item, (width, height), palette), Vec::new()),
    };
    let room = height.saturating_sub(head.len() + 1);
    let left = room.saturating_sub(above.len());
    let body: Vec<Line<'static>> =
        above.into_iter().chain(request::body(&item.review, width, (left, model.context), palette)).collect();
    let measured = Measured { rows: body.len(), room };
    let from = model.scroll.min(body.len().saturating_sub(room));
    let mut lines = head;
    lines.truncate(height.saturating_sub(2));
    lines.push(summary(item, from, measured, width, palette));
    lines.extend(body.into_iter().skip(from).take(room));
    put(frame, area, lines);
    measured
}

/// The facts above the change. They may take what it leaves over; where it is long, a third of the screen.
fn facts(
    model: &Model,
    item: &Item,
    (width, height): (usize, usize),
    palette: &Palette,
) -> Vec<Line<'static>> {
    let whole = request::body(&item.review, width, (usize::MAX, model.context), palette).len();
    let most = (height / 3).max(6).max(height.saturating_sub(whole + 1));
    request::head(model, item, width, most.min(height.saturating_sub(2)), palette)
}

/// How much comes and goes, how many lines deserve a look, and what is above and below this screen.
fn summary(item: &Item, from: usize, measured: Measured, width: usize, palette: &Palette) -> Line<'static> {
    let review = &item.review;
    let size = match review.files {
        0 => "as asked".to_owned(),
        files => format!("{} +{} -{}", counted(files, "file", "files"), review.added, review.removed),
    };
    let looks = match review.first.len() {
        0 => String::new(),
        lines => format!(", {} to look at", counted(lines, "line", "lines")),
    };
    let below = measured.rows.saturating_sub(from + measured.room);
    let rest = match (from, below) {
        (0, 0) => String::new(),
        (0, below) => format!("{} below", counted(below, "more row", "more rows")),
        (from, 0) => format!("{} above", counted(from, "row", "rows")),
        (from, below) => format!("{from} above, {below} below"),
    };
    let style = if below > 0 { palette.mark } else { palette.rule };
    rule(&format!("{size}{looks}"), &rest, width, style)
}

/// The keys, and above them what just happened or what is being written.
fn foot(model: &Model, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    if let Mode::Feedback(ids, text) = &model.mode {
        return feedback(ids.len(), text, width, palette);
    }
    let note =
        model.note.as_ref().map(|note| Line::styled(cut(&crate::inert::line(note), width), palette.mark));
    if let Mode::Granting(id, text) = &model.mode {
        return note.into_iter().chain(granting(id, text, width, palette)).collect();
    }
    if matches!(model.mode, Mode::Reviewing(_)) {
        return note.into_iter().chain([hints(reviewing::KEYS, width, palette)]).collect();
    }
    note.into_iter().chain([keys(model, width, palette)]).collect()
}

fn keys(model: &Model, width: usize, palette: &Palette) -> Line<'static> {
    let Some(item) = model.shown() else { return nothing_to_answer(model, width, palette) };
    let approve = match model.marked.len() {
        0 | 1 => words::approve(item).to_owned(),
        count => format!("approve {count}"),
    };
    let scroll = if model.whole { ("↑↓", "scroll") } else { ("PgDn", "scroll") };
    let whole = if model.whole { ("enter", "list") } else { ("enter", "whole screen") };
    let edit = item.approval.request.draft.is_some().then_some(("e", "edit"));
    let grant = item.offer().is_some().then_some(("g", "grant"));
    let trust = item.allows().is_some().then_some(("t", "trust"));
    let revoke = (!model.grants.is_empty()).then_some(("x", "revoke"));
    let review = (!model.reviews.is_empty()).then_some(("v", "review"));
    let answers =
        [("a", approve.as_str()), ("r", "reject")].into_iter().chain(edit).chain(grant).chain(trust);
    let all: Vec<(&str, &str)> = answers
        .filter(|_| !model.is_with_host())
        .chain(revoke)
        .chain(review)
        .chain([("j/k", "choose"), scroll, ("space", "mark"), whole, ("b", "bell"), ("q", "quit")])
        .collect();
    hints(&all, width, palette)
}

fn nothing_to_answer(model: &Model, width: usize, palette: &Palette) -> Line<'static> {
    let revoke = (!model.grants.is_empty()).then_some(("x", "revoke"));
    let review = (!model.reviews.is_empty()).then_some(("v", "review"));
    let all: Vec<(&str, &str)> =
        review.into_iter().chain(revoke).chain([("b", "bell"), ("q", "quit")]).collect();
    hints(&all, width, palette)
}

/// As many hints as fit whole, and the last one, which leaves, before any other.
fn hints(hints: &[(&str, &str)], width: usize, palette: &Palette) -> Line<'static> {
    let size = |(key, what): &(&str, &str)| columns(key) + columns(what) + 3;
    let Some((last, others)) = hints.split_last() else { return Line::default() };
    let mut used = size(last);
    let fitting = others.iter().take_while(|hint| {
        used += size(hint);
        used <= width + 2
    });
    let spans = fitting.chain([last]).flat_map(|(key, what)| {
        [Span::styled((*key).to_owned(), palette.key), Span::raw(format!(" {what}  "))]
    });
    Line::from_iter(spans)
}

fn feedback(count: usize, text: &str, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let what = if count == 1 { "Reject. ".to_owned() } else { format!("Reject {count} requests. ") };
    let asks =
        format!("{what}What should the agent know? Enter sends (empty: no reason), Esc keeps it open.");
    written(&asks, text, (width, 3), palette)
}

/// The whole line of bounds: none is given that is not shown.
fn granting(
    id: &bailiwick_domain::ApprovalId,
    text: &str,
    width: usize,
    palette: &Palette,
) -> Vec<Line<'static>> {
    let asks = format!(
        "Approve {} and edits like it within these bounds? `path PATTERN` narrows them. Enter grants, Esc keeps it open.",
        id.0
    );
    written(&asks, text, (width, usize::MAX), palette)
}

/// A question, and the last rows of the line that is written in answer to it.
fn written(asks: &str, text: &str, (width, most): (usize, usize), palette: &Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> =
        text::wrapped_words(asks, width).into_iter().map(|row| Line::styled(row, palette.mark)).collect();
    let rows = wrapped(&format!("> {}█", crate::inert::line(text)), width);
    let skipped = rows.len().saturating_sub(most);
    lines.extend(rows.into_iter().skip(skipped).map(Line::raw));
    lines
}

fn popup(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'static>>, palette: &Palette) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0);
    let width = u16::try_from(widest + 4).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let frame_area =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let block = ratatui::widgets::Block::bordered().border_style(palette.key);
    let inside = block.inner(frame_area);
    frame.render_widget(Clear, frame_area);
    frame.render_widget(block, frame_area);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    put(frame, inside, lines);
}

fn confirmation(
    model: &Model,
    ids: &[bailiwick_domain::ApprovalId],
    palette: &Palette,
) -> Vec<Line<'static>> {
    const NAMED: usize = 12;
    let mut lines = vec![Line::styled(format!("Approve these {} requests?", ids.len()), palette.heading)];
    let items = model.requests.iter().filter(|item| ids.contains(item.id()));
    let unread = ids.iter().filter(|id| !model.looked_at.contains(*id)).count();
    for item in items.take(NAMED) {
        let looks = match item.review.first.len() {
            0 => String::new(),
            count => format!("  !{count}"),
        };
        lines.push(Line::from(cut_spans(
            vec![
                Span::styled(format!("{}  ", item.approval.id.0), palette.faint),
                Span::raw(words::what(&item.approval.request)),
                Span::styled(looks, palette.mark),
            ],
            70,
        )));
    }
    if ids.len() > NAMED {
        lines.push(Line::raw(format!("and {} more", ids.len() - NAMED)));
    }
    if unread > 0 {
        lines.push(Line::styled(format!("You have not looked at {unread} of them."), palette.alarm));
    }
    lines.push(Line::from(vec![Span::styled("y", palette.key), Span::raw(" approve · any other key: back")]));
    lines
}

/// The live grants, each with the digit that revokes it.
fn revoking(model: &Model, ids: &[bailiwick_domain::GrantId], palette: &Palette) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("Revoke which grant?", palette.heading)];
    for (place, id) in ids.iter().enumerate() {
        let grant = model.grants.iter().find(|grant| grant.id == *id);
        let text =
            grant.map_or_else(|| format!("{id} has ended"), |grant| list::grant_in_words(model, grant));
        lines.push(Line::from(vec![Span::styled(format!("{}  ", place + 1), palette.key), Span::raw(text)]));
    }
    lines.push(Line::styled("any other key revokes nothing", palette.faint));
    lines
}

/// A draft as it was edited, as the change of the intents file that it is.
fn edited(
    draft: &Amended,
    change: &crate::review::Review,
    area: Rect,
    palette: &Palette,
) -> Vec<Line<'static>> {
    let question = match draft {
        Amended::Intent(_) => "Accept the intent as you edited it?",
        Amended::Scope { .. } => "Expand the scope as you edited it?",
    };
    let (width, height) =
        (usize::from(area.width).saturating_sub(6), usize::from(area.height).saturating_sub(5));
    let rows = request::body(change, width, (usize::MAX, true), palette);
    let more = rows.len().saturating_sub(height);
    let mut lines = vec![Line::styled(question, palette.heading)];
    lines.extend(rows.into_iter().take(height));
    if more > 0 {
        lines.push(Line::styled(format!("and {}", counted(more, "more row", "more rows")), palette.alarm));
    }
    lines.push(Line::from(vec![Span::styled("y", palette.key), Span::raw(" accept · any other key: back")]));
    lines
}

/// A broad scope, which its own key alone approves.
fn broad(asked: &Broad, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let Twice::Broad(wide) = &asked.twice else { return unseen(&asked.twice, width, palette) };
    let owns =
        format!("It covers {} of {} ({}%).", wide.files, counted(wide.of, "file", "files"), wide.percent());
    let runs = match wide.can_run {
        0 => "None of them can run code.".to_owned(),
        count => format!("{} can run code: builds, scripts, CI.", counted(count, "file", "files")),
    };
    let room = width.saturating_sub(6);
    let says = |text: &str| cut(text, room);
    vec![
        Line::styled(says("This scope is broad."), palette.alarm),
        Line::raw(says(&owns)),
        Line::raw(says(&runs)),
        all_of_it(palette),
    ]
}

/// A change that is not shown whole.
fn unseen(twice: &Twice, width: usize, palette: &Palette) -> Vec<Line<'static>> {
    let says = text::wrapped_words(&twice.says(), width.saturating_sub(6));
    let says = says.into_iter().map(|line| Line::styled(line, palette.alarm));
    says.chain([all_of_it(palette)]).collect()
}

fn all_of_it(palette: &Palette) -> Line<'static> {
    Line::from(vec![
        Span::styled(BROAD_KEY.to_string(), palette.key),
        Span::raw(" approves all of it · any other key: back"),
    ])
}

fn help(width: usize, palette: &Palette) -> Vec<Line<'static>> {
    const KEYS: &[(&str, &str)] = &[
        ("a", "approve this call, once; several marked ones and broad scopes need a second key"),
        ("e", "edit a drafted intent or scope, then accept it"),
        ("g", "grant: approve it, and edits like it within bounds that you may change"),
        ("t", "trust this command from now on"),
        ("x", "revoke a grant"),
        ("v", "review what was done under a grant: keep it, or put files back"),
        ("r", "reject, with a line for the agent if you like"),
        ("j k ↓ ↑ n p", "next and previous request"),
        ("space", "mark, for one answer to several"),
        ("PgDn/Up d u", "scroll by a page, by half of one"),
        ("Home End", "first and last row"),
        ("enter", "the request on the whole screen; the arrows scroll it"),
        ("c", "all unchanged lines around the changes, or only the nearest"),
        ("esc", "back; clears marks"),
        ("b", "bell on or off when something new waits"),
        ("q", "quit; agents then ask through their host or are refused"),
    ];
    let mut lines = vec![Line::styled("Keys", palette.heading)];
    let explained = KEYS.iter().map(|(key, what)| (*key, *what, palette.key));
    let marks = ("!", "marks lines to check first; other lines can be wrong too", palette.mark);
    for (key, what, style) in explained.chain([marks]) {
        for (row, text) in text::wrapped_words(what, width.saturating_sub(18).min(70)).into_iter().enumerate()
        {
            let key = if row == 0 { key } else { "" };
            lines.push(Line::from(vec![Span::styled(format!("{key:<13}"), style), Span::raw(text)]));
        }
    }
    lines
}
