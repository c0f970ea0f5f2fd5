"""What ``bcnet host``, ``join``, ``resume`` and ``play`` do, once their words are understood."""

from __future__ import annotations

import asyncio
import secrets
import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Protocol

from bcnet.cli import asking, program
from bcnet.cli.agreeing import terms_of
from bcnet.cli.evening import Person, Player, Self, play_evening
from bcnet.cli.running import Deadline, say
from bcnet.errors import BcnetError, Exit, NetworkError, UsageError, shortened
from bcnet.games import registry
from bcnet.home import TableFolder, Unfinished
from bcnet.invite import TOKEN_BITS, Invite, Turnstile
from bcnet.language import N_, _, ngettext, told
from bcnet.players import AnotherKey
from bcnet.session import Session
from bcnet.signing import fingerprint
from bcnet.table.membership import Terms
from bcnet_client.address import Address, parse_address, written
from bcnet_client.console.face import face_of
from bcnet_client.discovery import Browser, Found
from bcnet_client.discovery import Notice as Announced
from bcnet_client.join import Joiner, join, resume
from bcnet_client.reach import Unreachable, reach
from bcnet_client.telling import about_gathering
from bcnet_client.trust import Confirm, Stranger, Trust
from bcnet_client.watch import watch
from bcnet_host.addresses import Kind, Reachable, of_this_machine
from bcnet_host.admission import Admission, Applicant, Door, Gathered, Idle, Notice, Turned
from bcnet_host.announce import Announcement, reachable_hosts
from bcnet_host.certificate import make_certificate
from bcnet_host.server import Server, listen
from bcnet_host.spectators import Spectators

LOOK_TIME = 4.0
"""Seconds for which the network is searched where there is nobody to choose."""

_EVERY_ADDRESS = frozenset({"", "::", "0.0.0.0"})  # noqa: S104 (compared, not bound)


class Bring(Protocol):
    """Brings other players to a table."""

    def __call__(
        self, admission: Admission, address: str, code: str = ""
    ) -> AbstractAsyncContextManager[asyncio.Future[BcnetError]]:
        """Start programs that sit down at the table at ``address`` with ``code``, or come back to it without one, for
        as long as the block lasts. Gives what the first that has ended for good had to say.
        """


_goodbyes: set[asyncio.Task[None]] = set()
"""Notices that are being taken back."""


class NothingFound(NetworkError):
    """There is no table to choose from."""


@dataclass(frozen=True, slots=True)
class Publicity:
    """Who else gets to know of a table."""

    spectators: int = 0
    """How many may watch."""
    announced: bool = True
    """Whether the local network is told while somebody is awaited, if the table can be reached from there."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a table is opened."""

    address: Address
    terms: Terms
    is_open: bool = False
    """Whether anybody may sit down, without the code."""
    publicity: Publicity = Publicity()
    bring: Bring | None = None
    """What brings the guests, where nobody else is to come."""


async def host_table(us: Self, hosting: Hosting, player: Player, deadline: Deadline) -> Exit:
    """Open a table, show how to get there, play with whoever sits down. Raises `UsageError` for a person whose game the
    console cannot show.
    """
    if isinstance(player, Person):
        face_of(hosting.terms.game)
    us.home.players.all()  # a damaged list is found now, and not when a friend is at the door
    certificate = make_certificate(us.identity)
    server = await listen(hosting.address, certificate)
    invite = Invite.make(us.identity.public, secrets.randbits(TOKEN_BITS))
    terms = hosting.terms
    asks = hosting.bring is None and isinstance(player, Person) and asking.is_possible()
    keeper = Doorkeeper()
    turnstile = Turnstile(invite, terms.seats - 1)
    door = Door(certificate.fingerprint, turnstile, hosting.is_open, keeper.ask if asks else None)
    admission = Admission(us.home, us.identity, us.name, terms, door, keeper.tell if asks else _tell)
    if asks:
        keeper.begin = admission.begin
    try:
        await admission.open()
        await server.start(admission, _spectators(us, certificate.fingerprint, hosting.publicity, admission))
        there = written(hosting.address.host, server.port)
        lines = (
            opening(us, hosting, server.port, invite.code)
            if hosting.bring is None
            else bringing(us, terms.seats)
        )
        for line in lines:
            say(line)
        async with _brought(hosting.bring, admission, there, invite.code) as gone:
            async with _announced(us, hosting.address, hosting.publicity, server.port):
                first: set[asyncio.Future[Any]] = {admission.game, gone}
                try:
                    await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
                except asyncio.CancelledError:
                    say(_("The table is closed."))
                    raise
            if not admission.game.done():
                raise gone.result()
            await keeper.rest()
            session = admission.game.result()
            session.remember(there)
            return await play_evening(us, session, admission, player, deadline)
    finally:
        await keeper.rest()
        await _shut(admission, server, deadline)


def _brought(
    bring: Bring | None, admission: Admission, address: str, code: str = ""
) -> AbstractAsyncContextManager[asyncio.Future[BcnetError]]:
    """The programs that sit down; nothing, where the other players come by themselves."""
    if bring is None:
        return nullcontext(asyncio.get_running_loop().create_future())
    return bring(admission, address, code)


def _spectators(
    us: Self, certificate: bytes, publicity: Publicity, admission: Admission
) -> Spectators | None:
    if not publicity.spectators:
        return None
    return Spectators(us.identity, us.name, certificate, publicity.spectators, lambda: admission.playing)


@asynccontextmanager
async def _announced(us: Self, address: Address, publicity: Publicity, port: int) -> AsyncIterator[None]:
    """Tell the local network of the table as long as it is open."""
    host = address.host
    if not publicity.announced or _is_loopback(host):
        yield
        return
    hosts = reachable_hosts if host in _EVERY_ADDRESS else lambda: [host]
    announcement = Announcement(Announced(us.name, us.identity.fingerprint), port, hosts)
    await announcement.__aenter__()
    try:
        yield
    finally:
        _goodbyes.add(task := asyncio.create_task(announcement.close()))  # the game does not wait for it
        task.add_done_callback(_goodbyes.discard)


async def _announce_until_all_are_here(
    us: Self, address: Address, publicity: Publicity, port: int, session: Session
) -> None:
    async with _announced(us, address, publicity, port):
        await session.all_here.wait()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class Joining:
    """Where one sits down, and what one knows of the host."""

    addresses: Sequence[Address]
    """Those of one host; the first that can be reached is taken."""
    invite: Invite | None = None
    fingerprint: str = ""
    trust_first: bool = False
    """Whether a host whom one has never met is trusted without a question."""


async def join_table(us: Self, joining: Joining, player: Player, deadline: Deadline) -> Exit:
    """Sit down at another's table and play."""
    address = joining.addresses[0] if len(joining.addresses) == 1 else await _first(joining.addresses)
    say(_("{us} Joining {address} …").format(us=us, address=address))
    visit = await join(_joiner(us, joining), address)
    try:
        return await play_evening(us, visit.session, visit, player, deadline)
    finally:
        deadline.start()
        await visit.close()


async def watch_table(us: Self, joining: Joining) -> Exit:
    """Follow another's table, a line for each event."""
    return await watch(_joiner(us, joining), joining.addresses[0], say)


def _joiner(us: Self, joining: Joining) -> Joiner:
    confirm: Confirm | None = None
    if joining.trust_first:
        confirm = _take_as_it_is
    elif asking.is_possible():
        confirm = _is_the_right_one
    trust = Trust(joining.invite, joining.fingerprint, confirm)
    return Joiner(
        us.home,
        us.identity,
        us.name,
        trust,
        waiting=lambda: say(_(WAITING_FOR_YES)),
        gathered=lambda gathering: say(about_gathering(gathering)) if gathering.missing else None,
    )


WAITING_FOR_YES = N_("The host is asked whether you may sit down …")


async def resume_table(
    us: Self,
    table: Unfinished,
    address: Address | None,
    player: Player,
    deadline: Deadline,
    *,
    restore: bool,
    publicity: Publicity,
    bring: Bring | None = None,
) -> Exit:
    """Take up an unfinished table: the host listens again, the guest goes to where the host was, or to ``address``.

    ``publicity`` is for a host; so is ``bring``, which brings the guests back.
    """
    if publicity.spectators and table.seat != 0:
        raise UsageError(
            "You are a guest at table {table}.",
            hint="Its host decides who may watch: bcnet resume --spectators N, there.",
            table=table.table,
        )
    if restore:
        aside = us.home.set_journal_aside(table)
        say(_("The journal that was here is kept as {path}").format(path=aside))
        say(_("The other side's copy restores the game when it comes back."))
    folder = us.home.open(table)
    there = address or _remembered(folder, listening=table.seat == 0)
    if there is None:
        folder.close()
        raise UsageError(
            "Where the host of table {table} listens is not known here.",
            hint="Give the address: bcnet resume {table} ADDR",
            table=table.table,
        )
    session = await Session.resume(us.home, us.identity, us.name, folder)
    return await _resumed(us, session, table.seat, there, player, deadline, publicity, bring)


async def hand_out(
    us: Self, path: Any, seat: int, address: Address | None, player: Player, deadline: Deadline
) -> Exit:
    """Give the other side what it lacks of a table that is finished here."""
    session = await Session.finished(us.home, us.identity, path, seat)
    if seat != 0 and address is None:
        raise UsageError(
            "That table is finished here; its transcript lies at {path}",
            hint="If the other side lacks the last of it, give its address: bcnet resume TABLE ADDR",
            path=path,
        )
    say(_("This table is finished here. The other side gets what it lacks when it comes; Ctrl-C ends."))
    there = address or Address("", 4680)
    return await _resumed(us, session, seat, there, player, deadline, Publicity(announced=False))


def _remembered(folder: TableFolder, *, listening: bool) -> Address | None:
    if folder.address:
        with suppress(UsageError):
            return parse_address(folder.address, listening=listening)
    return Address("", 4680) if listening else None


async def _resumed(
    us: Self,
    session: Session,
    seat: int,
    there: Address,
    player: Player,
    deadline: Deadline,
    publicity: Publicity,
    bring: Bring | None = None,
) -> Exit:
    us = us.at(session)
    if seat != 0:
        say(_("{us} Going back to the table at {address} …").format(us=us, address=there))
        visit = resume(Joiner(us.home, us.identity, us.name), there, session)
        session.remember(str(there))
        try:
            return await play_evening(us, session, visit, player, deadline)
        finally:
            deadline.start()
            await visit.close()
    terms = session.snapshot.terms or terms_of(registry.names()[0], None, {}, private_hands=True)
    certificate = make_certificate(us.identity)
    server: Server | None = None
    announcing: asyncio.Task[None] | None = None
    admission = Admission(us.home, us.identity, us.name, terms, Door(certificate.fingerprint), _tell)
    try:
        server = await listen(there, certificate)
        admission.take_up(session)
        await server.start(admission, _spectators(us, certificate.fingerprint, publicity, admission))
        announcing = asyncio.create_task(
            _announce_until_all_are_here(us, there, publicity, server.port, session)
        )
        address = written(there.host, server.port)
        session.remember(address)
        lines = (
            reopening(us, session, there, server.port, publicity)
            if bring is None
            else bringing(us, terms.seats)
        )
        for line in lines:
            say(line)
        async with _brought(bring, admission, address):
            return await play_evening(us, session, admission, player, deadline)
    finally:
        if announcing is not None:
            announcing.cancel()
        await session.close()
        if server is not None:
            await _shut(admission, server, deadline)


async def _shut(admission: Admission, server: Server, deadline: Deadline) -> None:
    deadline.start()
    await admission.close()
    await server.stop()


def opening(us: Self, hosting: Hosting, port: int, code: str) -> Sequence[str]:
    """What a host shows before anything else: whole lines for the other to type, for each address."""
    lines = [
        _("The table is open. {us}").format(us=us),
        "",
        *_ways("join", hosting.address, port, code, guests=hosting.terms.seats - 1),
    ]
    guests = hosting.terms.seats - 1
    if hosting.is_open:
        who = _("Anybody may sit down, with or without the code.")
    else:
        who = ngettext(
            "The code lets one player in, whoever is first: send the line to nobody else.",
            "The code lets {count} players in, whoever is first: send the line to nobody else.",
            guests,
        ).format(count=guests)
    if spectators := hosting.publicity.spectators:
        may = _("Up to {count} may watch: {program} watch instead of {program} join.")
        who += " " + may.format(count=spectators, program=program.name())
    waiting = ngettext(
        "Waiting for the other player. Ctrl-C closes the table.",
        "Waiting for {count} players. Ctrl-C closes the table.",
        guests,
    )
    return [*lines, "", who, waiting.format(count=guests)]


def bringing(us: Self, seats: int) -> Sequence[str]:
    """What a host shows who plays with bots."""
    return [str(us), ngettext("The bot is starting …", "The bots are starting …", seats - 1)]


def reopening(us: Self, session: Session, address: Address, port: int, publicity: Publicity) -> Sequence[str]:
    """What a host shows that has taken a table up again."""
    table = (session.table_id or session.lost_id)[:8].hex()
    again = _("Table {table} is open again. {us}").format(table=table, us=us)
    lines = [again, "", *_ways(f"resume {table}", address, port, guests=len(session.others))]
    who = ngettext(
        "The other player's program comes back by itself if it is running; if not, by that line.",
        "The other players' programs come back by themselves if they are running; if not, by that line.",
        len(session.others),
    )
    if publicity.spectators:
        may = _("Up to {count} may watch: {program} watch with the same address.")
        who += " " + may.format(count=publicity.spectators, program=program.name())
    return [*lines, "", who]


def _ways(verb: str, address: Address, port: int, code: str = "", *, guests: int) -> Sequence[str]:
    """Whole lines for the others to type, for each address."""
    if address.host in _EVERY_ADDRESS:
        ways = [(_PLACES[way.kind], way) for way in of_this_machine()]
    else:
        ways = [(_THIS_LINE, Reachable(address.host, "", Kind.LAN))]
    lines = []
    for number, (place, way) in enumerate(ways):
        if number == 0:
            types = ngettext("The other player types {place}", "The others type {place}", guests)
            lines.append(types.format(place=_(place)))
        elif place != ways[number - 1][0]:
            lines.append(_("or {place}").format(place=_(place)))
        lines.append(f"  {program.name()} {verb} {shlex.quote(written(way.host, port))} {code}".rstrip())
    return lines


async def _first(addresses: Sequence[Address]) -> Address:
    """The first of a host's addresses that can be reached; the first of all if none can."""
    for address in addresses:
        with suppress(Unreachable):
            await reach(address)
            return address
    return addresses[0]


async def choose_table(us: Self, player: Player, deadline: Deadline) -> Exit:
    """List the tables on the local network; a person at a screen chooses one and sits down."""
    if isinstance(player, Person) and asking.is_possible():
        from bcnet_client.console.tables import choose
        from bcnet_client.console.terminal import is_interactive

        draws = is_interactive() and not player.look.plain
        found = await (choose(us.home.players.all) if draws else _choose_by_number(us))
        if found is None:
            return Exit.OK
        joining = Joining(found.addresses, fingerprint=found.notice.fingerprint)
        return await join_table(us, joining, player, deadline)
    return await _list_tables(us)


async def _choose_by_number(us: Self) -> Found | None:
    """List the tables as lines, and ask which one is meant."""
    say(_("Looking for tables …"))
    browser, lines = await _look(us)
    for count, text in enumerate(lines, 1):
        say(f"  {count}  {text}")
    chosen = await asking.number(_("Which one? Enter: none."), len(lines))
    return None if chosen is None else browser.tables[chosen - 1]


async def _list_tables(us: Self) -> Exit:
    """What is found in a few seconds, as lines."""
    for text in (await _look(us))[1]:
        say(text)
    return Exit.OK


async def _look(us: Self) -> tuple[Browser, list[str]]:
    """The tables that are found in a few seconds, each in a line as well. Raises `NothingFound`."""
    from bcnet_client.console.tables import as_text

    known = us.home.players.all()
    async with Browser() as browser:
        await asyncio.sleep(LOOK_TIME)
    if browser.tables:
        return browser, as_text(browser, known)
    raise NothingFound(
        "No table was found on the local network: {why}."
        if browser.trouble
        else "No table was found on the local network.",
        hint="Ask the host for the line that its program shows: bcnet join ADDR CODE.",
        why=browser.trouble,
    )


class Doorkeeper:
    """Asks the host, one thing at a time while the table is filled: who may sit down, and whether to begin with those
    who are here.
    """

    def __init__(self) -> None:
        self.begin: Callable[[], bool] = lambda: False
        """Begins with those who are here, where the game allows that."""
        self._may_begin = 0
        self._is_asking = False
        self._offering: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._telling: set[asyncio.Task[None]] = set()

    def tell(self, notice: Notice) -> None:
        """Tell the host what happens at the door."""
        telling = asyncio.create_task(self._tell_in_turn(notice))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def ask(self, applicant: Applicant) -> bool:
        """Ask about somebody who has no code."""
        async with self._turn:
            await self._stop_offering()
            self._is_asking = True
        try:
            return await _may_sit_down(applicant)
        finally:
            self._is_asking = False
            self._offer()

    async def rest(self) -> None:
        """Ask nothing, now and later."""
        async with self._turn:
            self._may_begin = 0
            await self._stop_offering()

    async def _tell_in_turn(self, notice: Notice) -> None:
        async with self._turn:
            await self._stop_offering()
            _tell(notice)
            if isinstance(notice, Gathered):
                gathering = notice.gathering
                allowed = len(gathering.sitters) in registry.get(gathering.game).seats
                self._may_begin = len(gathering.sitters) if gathering.missing and allowed else 0
            self._offer()

    async def _stop_offering(self) -> None:
        """Whoever asks next reads what is typed: two questions at once would take each other's answers."""
        offering, self._offering = self._offering, None
        if offering is not None:
            offering.cancel()
            await asyncio.wait({offering})

    def _offer(self) -> None:
        if self._may_begin and not self._is_asking and self._offering is None:
            self._offering = asyncio.create_task(self._begin(self._may_begin))

    async def _begin(self, count: int) -> None:
        question = _("Type start to begin with {count} players, or wait:").format(count=count)
        while (answer := await asking.line(question)) is not None:
            if answer.lower() in {"start", _("start")}:
                self.begin()
                return
            if answer:
                say(_("There is no {word} here.").format(word=shortened(repr(answer))))


async def _may_sit_down(applicant: Applicant) -> bool:
    """Ask the host about somebody who has no code."""
    known = applicant.known
    since = (
        _("You know this key since {date}.").format(date=known.first_met.date())
        if known
        else _("You have never met this key.")
    )
    say()
    try:
        return await asking.yes_or_no(
            _("{name}, key {fingerprint}, wants to join.").format(
                name=applicant.name, fingerprint=fingerprint(applicant.identity)
            ),
            _("They have no code. {since} Let them sit down?").format(since=since),
        )
    except asyncio.CancelledError:
        say("\n" + _("The question has settled itself."))
        raise


async def _is_the_right_one(stranger: Stranger) -> bool:
    """Ask the joiner about a host that nobody has vouched for."""
    return await asking.yes_or_no(
        _("You have never met the host at {address}. Its key is {key}.").format(
            address=stranger.address, key=stranger.fingerprint
        ),
        _("Ask your friend, by voice, whether that is the key on the other screen. Is it?"),
    )


async def _take_as_it_is(stranger: Stranger) -> bool:
    said = _("You have never met the host; its key {key} is taken as it is.")
    say(said.format(key=stranger.fingerprint))
    return True


_THIS_LINE = N_("this line:")
_PLACES = {
    Kind.LAN: N_("one of these lines, the likely one first:"),
    Kind.VPN: N_("over a VPN:"),
    Kind.VIRTUAL: N_("in a container or a virtual machine here:"),
    Kind.LINK_LOCAL: N_("on the same cable or WLAN (with the other's own interface after %):"),
    Kind.LOOPBACK: N_("on this machine:"),
}


def _tell(notice: Notice) -> None:
    match notice:
        case Turned(why):
            say(_("Somebody was turned away: {why}").format(why=told(why.message)))
            if isinstance(why, AnotherKey):
                say(f"  {told(why.hint)}")
        case Idle(identity):
            say(
                _("Key {key} came to the table and did not sit down. The table is open again.").format(
                    key=fingerprint(identity)
                )
            )
        case Gathered(gathering):
            say(about_gathering(gathering))
