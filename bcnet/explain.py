"""A log told round by round: who said what, what came of it, and what was checked, for ``bcnet verify --explain``.

It tells what a replay has found and finds nothing itself. Faces are named as far as the audit, or their owners, have
brought them to light.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bcnet.entry import MalformedBody, SignedEntry, read_body, read_entry
from bcnet.errors import IllegalStep
from bcnet.games.interface import MAX_NOTATION, Event
from bcnet.log import Round
from bcnet.names import told_apart
from bcnet.record import follower_of
from bcnet.table.rounds import Kind
from bcnet.verify import Replay, Report
from bcnet.wire.v1 import log_pb2 as pb

HEADING = (
    "Of every entry it was checked that it is in its one form, signed by its seat, chained to all before it, and due.",
    "What else was checked stands in brackets.",
)
_FROM_SEED = "computed again from the seed"


def explain(report: Report, replay: Replay | None) -> Iterator[str]:
    """The log as lines, up to its end or to the fault in ``report``; one line if there is no log."""
    if replay is None:
        yield "Nothing of it can be told."
        return
    yield from HEADING
    story = _Story(report, replay)
    for round_ in story.rounds():
        yield from story.of_round(round_)
    yield from story.ending()


class _Story:
    """What is told of one replay."""

    def __init__(self, report: Report, replay: Replay) -> None:
        self._report = report
        self._replay = replay
        self._course = replay.course
        self._names = told_apart([member.name for member in self._course.members])
        self._news = self._all_news()
        self._draws = 0
        self._disputed = report.fault.round if report.fault else None

    def rounds(self) -> Iterator[Round]:
        """All rounds that have an entry."""
        log = self._replay.table.log
        for number in range(len(log) + 1):
            if log[number].entries:
                yield log[number]

    def of_round(self, round_: Round) -> Iterator[str]:
        """One round: a line for each kind of entry in it, and a line of what came of it."""
        said = [(seat, _payload(round_.entries[seat])) for seat in sorted(round_.entries)]
        for kind, group in groupby(said, key=lambda each: each[1][0]):
            entries = [(seat, payload) for seat, (_, payload) in group]
            if kind is Kind.SHARE:
                self._draws += 1
            text = "; ".join(f"{self._names[seat]}: {self._said(kind, payload)}" for seat, payload in entries)
            checks = self._checks(kind, audited=self._is_audited and round_.number != self._disputed)
            yield f"{round_.number:>5}  {kind:<9}  {text}" + (f"  [{checks}]" if checks else "")
        if news := self._news.get(round_.number):
            yield " " * 18 + " ".join(news)
        if self._disputed == round_.number:
            yield from self._fault()

    def ending(self) -> Iterator[str]:
        """What the log lacks, what contradicts what, and what the audit has computed."""
        report, log = self._report, self._replay.table.log
        for seat, who in ((lack.seat, lack) for lack in report.lacks):
            name = self._names[seat] if seat < len(self._names) else f"seat {seat}"
            yield f"{who.round:>5}  {who.kind:<9}  {name}: not in the file"
        if report.fault and (report.fault.round > len(log) or not log[report.fault.round].entries):
            yield from self._fault()
        if self._replay.other is not None:
            yield f"{log.open.number:>5}  set aside  An entry that was signed on top of another log."
        yield from self._audited()

    def _fault(self) -> Iterator[str]:
        fault = self._report.fault
        assert fault is not None
        yield f"{fault.round:>5}  FAULT      {fault.message} ({fault.kind})"
        for data in fault.evidence:
            try:
                body = read_body(read_entry(data).body)
                kind = Kind(body.WhichOneof("payload") or "")
                said = f"{kind}, {self._said(kind, body)}"
            except MalformedBody:
                said = "what means nothing"
            yield f"{'':18}{self._names[fault.seat]} has signed: {said} ({len(data)} bytes)"

    # --- what a seat says ---

    def _said(self, kind: Kind, payload: pb.Body) -> str:
        match kind:
            case Kind.OFFER:
                terms = payload.offer.terms
                options = "".join(f", {option.key} {option.value}" for option in terms.options)
                return f"{terms.game} for {terms.seats}{options}"
            case Kind.JOIN:
                return "sits down"
            case Kind.READY:
                return "the end of its chain of random numbers"
            case Kind.SHUFFLE:
                return f"masks and shuffles {len(payload.shuffle.points)} cards"
            case Kind.SHARE:
                return f"link {self._draws}"
            case Kind.RESPONSES:
                return f"{len(payload.responses.responses)} answers"
            case Kind.UNMASK:
                return f"a mask off {_cards(len(payload.unmask.cards))}"
            case Kind.REFRESH:
                new, count = len(payload.refresh.cards), len(payload.refresh.step.points)
                return f"masks and shuffles its {_cards(count)}, {new} of them new"
            case Kind.ACT:
                return self._act(payload.act)
            case Kind.SEAL:
                return "a sealed choice"
            case Kind.UNSEAL:
                return _shown(payload.unseal.choice)
            case Kind.RESIGN:
                return "resigns"
            case Kind.NOTE:
                return "carries the note of another seat, which resigns"
            case Kind.REVEAL:
                return "its seed"

    def _act(self, act: pb.Act) -> str:
        assert self._course.game is not None
        deck = self._course.game.deck
        opened = ", ".join(
            f"{_named(deck, opening.card)} from slot {opening.slot}" for opening in act.openings
        )
        return _shown(act.action) + (f", opens {opened}" if opened else "")

    # --- what was checked ---

    def _checks(self, kind: Kind, *, audited: bool) -> str:
        proven = self._report.proofs_checked
        match kind:
            case Kind.OFFER | Kind.JOIN:
                parts = ["sound key, allowed name"]
            case Kind.READY:
                parts = [_FROM_SEED] * audited
            case Kind.SHUFFLE:
                parts = ["valid points, each once; a new key", *[_FROM_SEED] * audited]
            case Kind.SHARE:
                parts = ["each link hashes to the one before"]
            case Kind.RESPONSES:
                parts = ["each answer leads to its shadow" if proven else "form", *[_FROM_SEED] * audited]
            case Kind.UNMASK | Kind.REFRESH:
                parts = [*["proof"] * proven, *[_FROM_SEED] * audited]
            case Kind.ACT:
                parts = ["rules", *["proof"] * proven, *["the cards are those in the slots"] * audited]
            case Kind.UNSEAL:
                parts = ["opens the commitment", "rules"]
            case Kind.REVEAL:
                parts = ["opens the commitment"]
            case _:
                parts = []
        return "; ".join(parts)

    @property
    def _is_audited(self) -> bool:
        return not self._report.unaudited

    def _audited(self) -> Iterator[str]:
        deck = self._course.deck
        seats = [seat for seat in self._course.everyone if seat not in self._report.unaudited]
        if not seats or deck is None:
            return
        whose = " and ".join(self._names[seat] for seat in seats)
        shuffles = sum(seat in epoch.shuffles for epoch in deck.epochs for seat in seats)
        refreshes = sum(made.seat in seats for made in deck.refreshes)
        hands = f", {refreshes} refreshed hands" if refreshes else ""
        removals = sum(removal.seat in seats for removal in deck.removals)
        yield (
            f"Audit: from the seed{'s' if len(seats) > 1 else ''} of {whose} the chains, {shuffles} shuffles{hands} "
            f"and {removals} unmaskings were computed again; cards opened: {len(deck.openings)}."
        )

    # --- what came of it ---

    def _all_news(self) -> dict[int, list[str]]:
        """Sentences by round."""
        course = self._course
        news: dict[int, list[str]] = {}
        if course.initial is None or course.game is None:
            return news
        follower = follower_of(self._replay)
        contradicted = (
            False  # a card was opened that, by the audit, was not there: from then on what was said is told
        )
        for taken in course.steps:
            events: tuple[Event, ...] = taken.state.news
            if not contradicted:
                try:
                    events = follower.follow(taken)
                except IllegalStep:
                    contradicted = True
            told = (course.game.tell(event, self._names) for event in events)
            news.setdefault(taken.round, []).extend(text for text in told if text)
        return news


def _shown(text: str) -> str:
    """What a seat has signed may be anything: no text of it reaches a terminal unless it can be printed."""
    return text if text.isprintable() and len(text) <= MAX_NOTATION else repr(text[:MAX_NOTATION])


def _named(deck: Sequence[str], card: int) -> str:
    return deck[card] if card < len(deck) else f"card {card}"


def _payload(entry: SignedEntry) -> tuple[Kind, pb.Body]:
    body = pb.Body.FromString(entry.body)
    return Kind(body.WhichOneof("payload") or ""), body


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"
