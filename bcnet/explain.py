"""A log told round by round: who said what, what came of it, and what was checked, for ``bcnet verify --explain``.

It tells what a replay has found and finds nothing itself. Faces are named as far as the audit, or their owners, have
brought them to light.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bcnet.entry import MalformedBody, SignedEntry, read_body, read_entry, read_note
from bcnet.errors import IllegalStep, Phrase, in_a_row, listed
from bcnet.games.interface import MAX_NOTATION, Event, Over
from bcnet.log import Round
from bcnet.names import told_apart
from bcnet.record import follower_of
from bcnet.table.rounds import Kind
from bcnet.verify import Replay, Report
from bcnet.wire.v1 import log_pb2 as pb

HEADING = (
    Phrase(
        "Of every entry it was checked that it is in its one form, signed by its seat, chained to all before it, "
        "and due."
    ),
    Phrase("What else was checked stands in brackets."),
)
MOST_OPENINGS = 16
"""So many openings of one action are listed; a cheater may sign any number of them."""

_FROM_SEED = Phrase("computed again from the seed")


def explain(report: Report, replay: Replay | None) -> Iterator[str]:
    """The log as lines, up to its end or to the fault in ``report``; one line if there is no log."""
    if replay is None:
        yield Phrase("Nothing of it can be told.")
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
            text = _row(
                [
                    Phrase("{name}: {said}", name=self._names[seat], said=self._phrase(kind, payload))
                    for seat, payload in entries
                ]
            )
            opens = any(payload.act.openings for _, payload in entries)
            audited = self._is_audited and round_.number != self._disputed
            checks = self._checks(kind, opens=opens, audited=audited)
            yield Phrase(
                "{round:>5}  {kind}  {text}  [{checks}]" if checks else "{round:>5}  {kind}  {text}",
                round=round_.number,
                kind=f"{kind:<9}",
                text=text,
                checks=checks,
            )
        if news := self._news.get(round_.number):
            yield Phrase("{indent}{news}", indent=" " * 18, news=_row(news, "{first} {others}"))
        if self._disputed == round_.number:
            yield from self._fault()

    def ending(self) -> Iterator[str]:
        """What the log lacks, what contradicts what, and what the audit has computed."""
        report, log = self._report, self._replay.table.log
        for seat, who in ((lack.seat, lack) for lack in report.lacks):
            name = self._names[seat] if seat < len(self._names) else Phrase("seat {seat}", seat=seat)
            yield Phrase(
                "{round:>5}  {kind}  {name}: not in the file",
                round=who.round,
                kind=f"{who.kind:<9}",
                name=name,
            )
        if report.fault and (report.fault.round > len(log) or not log[report.fault.round].entries):
            yield from self._fault()
        if self._replay.other is not None:
            yield Phrase(
                "{round:>5}  set aside  An entry that was signed on top of another log.",
                round=log.open.number,
            )
        yield from self._audited()

    def _fault(self) -> Iterator[str]:
        fault = self._report.fault
        assert fault is not None
        yield Phrase(
            "{round:>5}  FAULT      {message} ({kind})",
            round=fault.round,
            message=fault.message,
            kind=fault.kind,
        )
        for data in fault.evidence:
            try:
                body = read_body(read_entry(data).body)
                kind = Kind(body.WhichOneof("payload") or "")
                said = Phrase("{kind}, {said}", kind=kind, said=self._phrase(kind, body))
            except MalformedBody:
                said = Phrase("what means nothing")
            yield Phrase(
                "{indent}{name} has signed: {said} ({size} bytes)",
                indent=" " * 18,
                name=self._names[fault.seat],
                said=said,
                size=len(data),
            )

    # --- what a seat says ---

    def _phrase(self, kind: Kind, payload: pb.Body) -> str:
        match kind:
            case Kind.OFFER:
                terms = payload.offer.terms
                options = "".join(f", {option.key} {option.value}" for option in terms.options)
                return Phrase(
                    "{game} for {seats}{options}", game=terms.game, seats=terms.seats, options=options
                )
            case Kind.JOIN:
                return Phrase("sits down")
            case Kind.READY:
                return Phrase("the end of its chain of random numbers")
            case Kind.SHUFFLE:
                return Phrase("masks and shuffles {count} cards", count=len(payload.shuffle.points))
            case Kind.SHARE:
                return Phrase("link {number}", number=self._draws)
            case Kind.RESPONSES:
                return Phrase("{count} answers", count=len(payload.responses.responses))
            case Kind.UNMASK:
                count = len(payload.unmask.cards)
                return Phrase("a mask off {count} card", many="a mask off {count} cards", count=count)
            case Kind.REFRESH:
                new, count = len(payload.refresh.cards), len(payload.refresh.step.points)
                return Phrase(
                    "masks and shuffles its {count} card, {new} of them new",
                    many="masks and shuffles its {count} cards, {new} of them new",
                    count=count,
                    new=new,
                )
            case Kind.ACT:
                return self._act(payload.act)
            case Kind.SEAL:
                return Phrase("a sealed choice")
            case Kind.UNSEAL:
                return _shown(payload.unseal.choice)
            case Kind.RESIGN:
                return (
                    Phrase("resigns, and hands its seed over") if payload.resign.seed else Phrase("resigns")
                )
            case Kind.NOTE:
                return self._note(payload.note)
            case Kind.REVEAL:
                return Phrase("its seed")

    def _note(self, note: pb.CarriedNote) -> str:
        try:
            return Phrase(
                "carries the note of {name}, who resigns", name=self._names[read_note(note.body).seat]
            )
        except (MalformedBody, IndexError):
            return Phrase("carries the note of another seat, which resigns")

    def _act(self, act: pb.Act) -> str:
        assert self._course.game is not None
        deck = self._course.game.deck
        parts = [
            Phrase("{card} from slot {slot}", card=_named(deck, opening.card), slot=opening.slot)
            for opening in act.openings[:MOST_OPENINGS]
        ]
        if (more := len(act.openings) - len(parts)) > 0:
            parts.append(Phrase("{count} more", count=more))
        opened = in_a_row(parts)
        action = _shown(act.action)
        return Phrase("{action}, opens {opened}", action=action, opened=opened) if opened else action

    # --- what was checked ---

    def _checks(self, kind: Kind, *, opens: bool, audited: bool) -> str:
        proven = self._report.proofs_checked
        match kind:
            case Kind.OFFER | Kind.JOIN:
                parts = [Phrase("sound key, allowed name")]
            case Kind.READY:
                parts = [_FROM_SEED] * audited
            case Kind.SHUFFLE:
                parts = [Phrase("valid points, each once; a new key"), *[_FROM_SEED] * audited]
            case Kind.SHARE:
                parts = [Phrase("each link hashes to the one before")]
            case Kind.RESPONSES:
                parts = [
                    Phrase("each answer leads to its shadow" if proven else "form"),
                    *[_FROM_SEED] * audited,
                ]
            case Kind.UNMASK | Kind.REFRESH:
                parts = [*[Phrase("proof")] * proven, *[_FROM_SEED] * audited]
            case Kind.ACT:
                parts = [Phrase("rules")]
                if opens:
                    parts += [Phrase("proof")] * proven
                    parts += [Phrase("the cards are those in the slots")] * audited
            case Kind.UNSEAL:
                parts = [Phrase("opens the commitment"), Phrase("rules")]
            case Kind.RESIGN:
                parts = [Phrase("opens the commitment")] * self._hands_seeds_over
            case Kind.NOTE:
                parts = [Phrase("signed by its seat, for this round")]
                parts += [Phrase("opens the commitment")] * self._hands_seeds_over
            case Kind.REVEAL:
                parts = [Phrase("opens the commitment")]
            case _:
                parts = []
        return _row(parts)

    @property
    def _hands_seeds_over(self) -> bool:
        """Whether a resignation carries the seed, so that the others can go on."""
        return self._course.seats > 2

    @property
    def _is_audited(self) -> bool:
        return not self._report.unaudited

    def _audited(self) -> Iterator[str]:
        deck = self._course.deck
        seats = [seat for seat in self._course.everyone if seat not in self._report.unaudited]
        if not seats or not self._course.table_id:
            return
        whose = listed([self._names[seat] for seat in seats])
        if deck is None:
            yield Phrase(
                "Audit: from the seed of {names} the chain was computed again."
                if len(seats) == 1
                else "Audit: from the seeds of {names} the chains were computed again.",
                names=whose,
            )
            return
        shuffles = sum(seat in epoch.shuffles for epoch in deck.epochs for seat in seats)
        refreshes = sum(made.seat in seats for made in deck.refreshes)
        removals = sum(removal.seat in seats for removal in deck.removals)
        computed = Phrase("the chains, {count} shuffles", count=shuffles)
        if refreshes:
            computed = Phrase("{some}, {count} refreshed hands", some=computed, count=refreshes)
        yield Phrase(
            "Audit: from the seed of {names} {computed} and {removals} unmaskings were computed again; "
            "cards opened: {opened}."
            if len(seats) == 1
            else "Audit: from the seeds of {names} {computed} and {removals} unmaskings were computed again; "
            "cards opened: {opened}.",
            names=whose,
            computed=computed,
            removals=removals,
            opened=len(deck.openings),
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
            told = [course.game.tell(event, self._names) for event in events]
            if isinstance(taken.state.need, Over):
                told.append(taken.state.need.told(self._names))
            news.setdefault(taken.round, []).extend(text for text in told if text)
        return news


def _shown(text: str) -> str:
    """What a seat has signed may be anything: no text of it reaches a terminal unless it can be printed."""
    return text if text.isprintable() and len(text) <= MAX_NOTATION else repr(text[:MAX_NOTATION])


def _named(deck: Sequence[str], card: int) -> str:
    return deck[card] if card < len(deck) else Phrase("card {card}", card=card)


def _payload(entry: SignedEntry) -> tuple[Kind, pb.Body]:
    body = pb.Body.FromString(entry.body)
    return Kind(body.WhichOneof("payload") or ""), body


def _row(parts: Sequence[str], pair: str = "{first}; {others}") -> str:
    """Several texts in one, as ``pair`` puts two together; empty for none."""
    if not parts:
        return ""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = Phrase(pair, first=part, others=text)
    return text
