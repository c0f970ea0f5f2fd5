"""Why a line ended, in words for a player."""

from __future__ import annotations

from bcnet.entry import Noise
from bcnet.language import N_, _, told
from bcnet.wire.v1 import table_pb2 as pb

_REASONS: dict[int, str] = {
    int(pb.REASON_UNSPECIFIED): N_("the line is cut, or the other program was ended"),
    int(pb.REASON_FINISHED): N_("the other side is through with the table"),
    int(pb.REASON_LEAVING): N_("the other player has left"),
    int(pb.REASON_TAKEN): N_("the table is taken"),
    int(pb.REASON_VERSION): N_("the other side speaks another version of the protocol"),
    int(pb.REASON_NOISE): N_("the other side could make nothing of what this program sent"),
    int(pb.REASON_FAULT): N_("the other program says that this side has signed what no honest program would"),
    int(pb.REASON_IDLE): N_("the host waited too long for an answer"),
    int(pb.REASON_UNKNOWN_TABLE): N_(
        "the host does not have this table: it plays another one now, or has lost it; then `bcnet close` keeps "
        "what was played here, and `bcnet forget` removes it"
    ),
    int(pb.REASON_TROUBLE): N_("the other program is in trouble (a full disk, say)"),
    int(pb.REASON_CODE_NEEDED): N_("nobody sits down there without the code of the invite"),
    int(pb.REASON_CODE_WRONG): N_("that is not the code of this table"),
    int(pb.REASON_CODE_USED): N_("somebody else has sat down with this code"),
    int(pb.REASON_LATER): N_("there were too many tries, or somebody else is at the door"),
    int(pb.REASON_DECLINED): N_("the host has said no"),
    int(pb.REASON_NO_WATCHERS): N_("nobody, or nobody more, may watch there"),
    int(pb.REASON_PAUSED): N_("the other player has paused the game"),
    int(pb.REASON_REPLACED): N_("this side has come back by another line"),
    int(pb.REASON_OTHER_HISTORY): N_(
        "the two sides' logs of this table are not the same; close the table on both sides and let "
        "`bcnet verify` judge both files together"
    ),
}

_UNKNOWN = N_("the other side gave a reason that this program does not know")

_PASSING = {
    int(pb.REASON_UNSPECIFIED),
    int(pb.REASON_TROUBLE),
    int(pb.REASON_PAUSED),
    int(pb.REASON_REPLACED),
}


def passes(reason: int, noise: Noise | None = None) -> bool:
    """Whether the line may come back after it has ended so."""
    return noise is None and reason in _PASSING


def why(reason: int, noise: Noise | None = None) -> str:
    """The reason of a goodbye (``Reason``), or what was wrong with what came, as a part of a sentence."""
    if noise is not None:
        return _("the other side sent what has no place at this table: {what}").format(
            what=told(noise.message).rstrip(".")
        )
    return _(_REASONS.get(reason, _UNKNOWN))
