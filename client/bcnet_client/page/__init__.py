"""A finished game as one page for a browser: everything in the one file, nothing fetched, nothing sent.

Every moment is in the page as it is; the script only shows one of them at a time, so that without it all can be read
one below the other. What comes from the transcript (names above all) was written by strangers: it goes through
`markup`, which escapes it, and the page allows no style or script but its own two, by their hashes.

- `page_of`: the page · `drawing`: what it needs of a game · `balloon_cup`, `edel`, `stones`: that of each · `shapes`
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256

from bcnet import language
from bcnet.errors import Phrase
from bcnet.language import told
from bcnet.replay import Playback
from bcnet.verify import Verdict
from bcnet_client.page.drawing import Drawing, Race, drawing_of
from bcnet_client.page.markup import Markup, tag, void

LEGEND = Phrase(
    "* and a broken edge: secret then. A card in hand was, to all but its player; the pile, to all."
)
KEYS = Phrase("Keys: left and right step, Page Up and Down ten moves, Home and End, space plays.")

_STYLE = """
body{font:16px system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem;color:#1b1b1b;background:#fff;
overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:.5rem 0}.small{font-size:.8rem;color:#444}
.verdict{padding:.4rem .6rem;background:#dff0e2;border-left:6px solid #1b7f3b}
.verdict.bad{background:#fde3e1;border-color:#c1272d}.note{padding-left:.6rem;border-left:6px solid #f5d90a}
.controls{display:flex;flex-wrap:wrap;gap:.3rem;align-items:center;position:sticky;top:0;background:#fff;
padding:.4rem 0}.controls[hidden]{display:none}.controls input{flex:1 1 4rem;min-width:0}
button{font:inherit;padding:.2rem .5rem;white-space:nowrap}.moment{scroll-margin-top:4rem}
svg{width:100%;height:auto}li.secret{list-style-type:"* ";color:#6a1b7a}ul{margin:.3rem 0;padding-left:1.4rem}
.race{margin:1rem 0}.line{fill:none;stroke-width:3}.s0{stroke:#1f5fd0}.s1{stroke:#b3470c;stroke-dasharray:7 4}
.s2{stroke:#00804a}.s3{stroke:#6a1b7a}.s4{stroke:#1b1b1b}.axis{stroke:#999}.cursor{stroke:#1b1b1b}
.moment.away{display:none}.race text{font-size:11px}
"""

_SCRIPT = """
"use strict";
(function () {
  const moments = Array.from(document.querySelectorAll(".moment"));
  const slider = document.getElementById("slider"), auto = document.getElementById("auto");
  const cursors = document.querySelectorAll(".cursor");
  const last = moments.length - 1;
  let at = 0, timer = null;
  function show(number) {
    at = Math.max(0, Math.min(last, number));
    moments.forEach(function (each, index) { each.classList.toggle("away", index !== at); });
    slider.value = at;
    slider.setAttribute("aria-valuetext", moments[at].getAttribute("aria-label"));
    cursors.forEach(function (each) {
      const left = Number(each.dataset.left), wide = Number(each.dataset.wide);
      const x = left + (last ? wide * at / last : 0);
      each.setAttribute("x1", x);
      each.setAttribute("x2", x);
    });
  }
  function stop() {
    if (timer !== null) { clearInterval(timer); timer = null; }
    auto.textContent = auto.dataset.play;
  }
  function play() {
    if (timer !== null) { stop(); return; }
    if (at === last) { show(0); }
    auto.textContent = auto.dataset.stop;
    timer = setInterval(function () { show(at + 1); if (at === last) { stop(); } }, 2000);
  }
  const go = {
    first: function () { show(0); }, back: function () { show(at - 1); },
    forward: function () { show(at + 1); }, last: function () { show(last); }
  };
  Object.keys(go).forEach(function (name) {
    document.getElementById(name).addEventListener("click", function () { stop(); go[name](); });
  });
  auto.addEventListener("click", play);
  slider.addEventListener("input", function () { stop(); show(Number(slider.value)); });
  const keys = {
    ArrowLeft: go.back, ArrowRight: go.forward, Home: go.first, End: go.last,
    PageUp: function () { show(at - 10); }, PageDown: function () { show(at + 10); }
  };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); play(); return; }
    if (Object.prototype.hasOwnProperty.call(keys, event.key)) {
      event.preventDefault();
      stop();
      keys[event.key]();
    }
  });
  document.querySelector(".controls").hidden = false;
  const asked = /^#m([0-9]+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : 0);
})();
"""

_PLAY = Phrase("Play")
_CHART_WIDTH, _CHART_HEIGHT = 600, 130
_CHART_LEFT, _CHART_WIDE, _CHART_TOP, _CHART_TALL = 28, 450, 22, 92


def page_of(playback: Playback) -> str:
    """The page of a game that has at least one moment. Raises `UsageError` for a game that has no page."""
    drawing = drawing_of(playback.report.game)
    names = tuple(map(told, playback.names))
    title = f"{drawing.title}: {' – '.join(names)}"
    style = Markup(_STYLE + drawing.style)
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=_policy(style, _SCRIPT)),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", style),
    )
    body = tag("body", *_body(playback, drawing, title, names), tag("script", Markup(_SCRIPT)))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang=language.name())}\n"


def _policy(style: str, script: str) -> str:
    """What a browser may do with the page: nothing but its own style and script."""
    style_hash, script_hash = (
        b64encode(sha256(text.encode()).digest()).decode("ascii") for text in (style, script)
    )
    return f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}'"


def _body(playback: Playback, drawing: Drawing, title: str, names: Sequence[str]) -> Iterator[Markup]:
    report = playback.report
    yield tag("h1", title)
    is_clean = report.verdict is Verdict.CLEAN
    yield tag("p", playback.verdict, class_="verdict" if is_clean else "verdict bad")
    for note in playback.notes:
        yield tag("p", note, class_="note")
    yield _controls(playback.last)
    for number, moment in enumerate(playback.moments):
        heading = playback.heading(number)
        said = [tag("li", each.text, class_="secret" if each.secret else None) for each in moment.sentences]
        yield tag(
            "section",
            tag(
                "h2", heading, tag("span", " ", Phrase("(round {round})", round=moment.round), class_="small")
            ),
            drawing.board(moment, names),
            tag("ul", *said),
            id=f"m{number}",
            class_="moment",
            aria_label=heading,
        )
    if playback.game is not None and playback.game.deck:
        yield tag("p", LEGEND, class_="small")
    yield tag("p", KEYS, class_="small")
    for race in drawing.races(playback):
        yield tag("figure", tag("figcaption", race.title), _chart(race, names), class_="race")
    keys = [tag("li", f"{name}: {who.fingerprint}") for name, who in zip(names, report.players, strict=True)]
    yield tag("h2", Phrase("Whose keys signed it"))
    yield tag("ul", *keys)
    yield tag("p", Phrase("Table {table}", table=report.table_id.hex()), class_="small")


def _controls(last: int) -> Markup:
    """The slider and its buttons; hidden until the script is there to serve them."""
    return tag(
        "div",
        tag("button", "|◀", id="first", type="button", aria_label=Phrase("The beginning")),
        tag("button", "◀", id="back", type="button", aria_label=Phrase("Back")),
        void("input", id="slider", type="range", min=0, max=last, value=0, aria_label=Phrase("Move")),
        tag("button", "▶", id="forward", type="button", aria_label=Phrase("Forward")),
        tag("button", "▶|", id="last", type="button", aria_label=Phrase("The end")),
        tag("button", _PLAY, id="auto", type="button", data_play=_PLAY, data_stop=Phrase("Stop")),
        class_="controls",
        hidden=True,
    )


# --- charts ---


def _chart(race: Race, names: Sequence[str]) -> Markup:
    """A line for each seat, in steps, with its name at the end; the cursor follows the slider."""
    least = min(0, *(min(counts) for counts in race.counts))
    most = max(1, *(max(counts) for counts in race.counts))
    last = max(1, len(race.counts[0]) - 1)

    def place(seat: int, number: int, count: int) -> tuple[float, float]:
        x = _CHART_LEFT + _CHART_WIDE * number / last
        height = _CHART_TALL * (count - least) / (most - least)
        return round(x, 1), round(_CHART_TOP + _CHART_TALL - height - 3 * seat, 1)

    parts: list[Markup] = []
    for count in sorted({least, 0, most}):
        _, y = place(0, 0, count)
        parts.append(tag("text", str(count), x=4, y=y + 4))
        parts.append(tag("line", x1=_CHART_LEFT, y1=y, x2=_CHART_LEFT + _CHART_WIDE, y2=y, class_="axis"))
    for seat, counts in enumerate(race.counts):
        path = ""
        for number, count in enumerate(counts):
            x, y = place(seat, number, count)
            path += f"H{x}V{y}" if path else f"M{x} {y}"
        parts.append(tag("path", d=path, class_=f"line s{seat}"))
    for seat, number, text in race.marks:
        x, y = place(seat, number, race.counts[seat][number])
        parts.append(tag("text", text, x=x + 2, y=y - 3))
    for seat, name in enumerate(names):
        x, y = _CHART_LEFT + _CHART_WIDE + 8, _CHART_TOP + 14 + 18 * seat
        parts.append(tag("path", d=f"M{x} {y - 4}h18", class_=f"line s{seat}"))
        parts.append(tag("text", f"{name[:14]} {race.counts[seat][-1]}", x=x + 22, y=y))
    parts.append(
        tag(
            "line", x1=_CHART_LEFT, y1=0, x2=_CHART_LEFT, y2=_CHART_HEIGHT, class_="cursor",
            data_left=_CHART_LEFT, data_wide=_CHART_WIDE,
        )
    )  # fmt: skip
    ends = ", ".join(f"{name} {counts[-1]}" for name, counts in zip(names, race.counts, strict=True))
    return tag(
        "svg", *parts, viewBox=f"0 0 {_CHART_WIDTH} {_CHART_HEIGHT}", role="img",
        aria_label=Phrase("{title}. At the end: {ends}.", title=race.title, ends=ends),
    )  # fmt: skip
