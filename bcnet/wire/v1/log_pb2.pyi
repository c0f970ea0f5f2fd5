from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Entry(_message.Message):
    __slots__ = ("body", "signature")
    BODY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    signature: bytes
    def __init__(self, body: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class Body(_message.Message):
    __slots__ = ("version", "table", "round", "seat", "head", "offer", "join", "ready", "shuffle", "share", "responses", "unmask", "act", "seal", "unseal", "resign", "note", "reveal", "refresh")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    JOIN_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    RESPONSES_FIELD_NUMBER: _ClassVar[int]
    UNMASK_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    SEAL_FIELD_NUMBER: _ClassVar[int]
    UNSEAL_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    REFRESH_FIELD_NUMBER: _ClassVar[int]
    version: int
    table: bytes
    round: int
    seat: int
    head: bytes
    offer: Offer
    join: Join
    ready: Ready
    shuffle: Shuffle
    share: Share
    responses: Responses
    unmask: Unmask
    act: Act
    seal: Seal
    unseal: Unseal
    resign: Resign
    note: CarriedNote
    reveal: Reveal
    refresh: Refresh
    def __init__(self, version: _Optional[int] = ..., table: _Optional[bytes] = ..., round: _Optional[int] = ..., seat: _Optional[int] = ..., head: _Optional[bytes] = ..., offer: _Optional[_Union[Offer, _Mapping]] = ..., join: _Optional[_Union[Join, _Mapping]] = ..., ready: _Optional[_Union[Ready, _Mapping]] = ..., shuffle: _Optional[_Union[Shuffle, _Mapping]] = ..., share: _Optional[_Union[Share, _Mapping]] = ..., responses: _Optional[_Union[Responses, _Mapping]] = ..., unmask: _Optional[_Union[Unmask, _Mapping]] = ..., act: _Optional[_Union[Act, _Mapping]] = ..., seal: _Optional[_Union[Seal, _Mapping]] = ..., unseal: _Optional[_Union[Unseal, _Mapping]] = ..., resign: _Optional[_Union[Resign, _Mapping]] = ..., note: _Optional[_Union[CarriedNote, _Mapping]] = ..., reveal: _Optional[_Union[Reveal, _Mapping]] = ..., refresh: _Optional[_Union[Refresh, _Mapping]] = ...) -> None: ...

class Terms(_message.Message):
    __slots__ = ("game", "seats", "options")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    game: str
    seats: int
    options: _containers.RepeatedCompositeFieldContainer[Option]
    def __init__(self, game: _Optional[str] = ..., seats: _Optional[int] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: str
    def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class Offer(_message.Message):
    __slots__ = ("terms", "host")
    TERMS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    terms: Terms
    host: Member
    def __init__(self, terms: _Optional[_Union[Terms, _Mapping]] = ..., host: _Optional[_Union[Member, _Mapping]] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("guest",)
    GUEST_FIELD_NUMBER: _ClassVar[int]
    guest: Member
    def __init__(self, guest: _Optional[_Union[Member, _Mapping]] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ("identity", "nonce", "commitment", "name")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    identity: bytes
    nonce: bytes
    commitment: bytes
    name: str
    def __init__(self, identity: _Optional[bytes] = ..., nonce: _Optional[bytes] = ..., commitment: _Optional[bytes] = ..., name: _Optional[str] = ...) -> None: ...

class Ready(_message.Message):
    __slots__ = ("tip",)
    TIP_FIELD_NUMBER: _ClassVar[int]
    tip: bytes
    def __init__(self, tip: _Optional[bytes] = ...) -> None: ...

class Shuffle(_message.Message):
    __slots__ = ("points", "key", "shadows")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SHADOWS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[bytes]
    key: bytes
    shadows: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, points: _Optional[_Iterable[bytes]] = ..., key: _Optional[bytes] = ..., shadows: _Optional[_Iterable[bytes]] = ...) -> None: ...

class Share(_message.Message):
    __slots__ = ("link",)
    LINK_FIELD_NUMBER: _ClassVar[int]
    link: bytes
    def __init__(self, link: _Optional[bytes] = ...) -> None: ...

class Responses(_message.Message):
    __slots__ = ("responses",)
    RESPONSES_FIELD_NUMBER: _ClassVar[int]
    responses: _containers.RepeatedCompositeFieldContainer[Response]
    def __init__(self, responses: _Optional[_Iterable[_Union[Response, _Mapping]]] = ...) -> None: ...

class Response(_message.Message):
    __slots__ = ("seed", "bridge")
    SEED_FIELD_NUMBER: _ClassVar[int]
    BRIDGE_FIELD_NUMBER: _ClassVar[int]
    seed: bytes
    bridge: Bridge
    def __init__(self, seed: _Optional[bytes] = ..., bridge: _Optional[_Union[Bridge, _Mapping]] = ...) -> None: ...

class Bridge(_message.Message):
    __slots__ = ("scalar", "permutation")
    SCALAR_FIELD_NUMBER: _ClassVar[int]
    PERMUTATION_FIELD_NUMBER: _ClassVar[int]
    scalar: bytes
    permutation: bytes
    def __init__(self, scalar: _Optional[bytes] = ..., permutation: _Optional[bytes] = ...) -> None: ...

class Unmask(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedCompositeFieldContainer[Unmasked]
    def __init__(self, cards: _Optional[_Iterable[_Union[Unmasked, _Mapping]]] = ...) -> None: ...

class Unmasked(_message.Message):
    __slots__ = ("point", "proof")
    POINT_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    point: bytes
    proof: Equality
    def __init__(self, point: _Optional[bytes] = ..., proof: _Optional[_Union[Equality, _Mapping]] = ...) -> None: ...

class Equality(_message.Message):
    __slots__ = ("first", "second", "answer")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    first: bytes
    second: bytes
    answer: bytes
    def __init__(self, first: _Optional[bytes] = ..., second: _Optional[bytes] = ..., answer: _Optional[bytes] = ...) -> None: ...

class Refresh(_message.Message):
    __slots__ = ("cards", "step")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedCompositeFieldContainer[Rekeyed]
    step: Shuffle
    def __init__(self, cards: _Optional[_Iterable[_Union[Rekeyed, _Mapping]]] = ..., step: _Optional[_Union[Shuffle, _Mapping]] = ...) -> None: ...

class Rekeyed(_message.Message):
    __slots__ = ("point", "proof")
    POINT_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    point: bytes
    proof: Equality
    def __init__(self, point: _Optional[bytes] = ..., proof: _Optional[_Union[Equality, _Mapping]] = ...) -> None: ...

class Act(_message.Message):
    __slots__ = ("action", "openings")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    OPENINGS_FIELD_NUMBER: _ClassVar[int]
    action: str
    openings: _containers.RepeatedCompositeFieldContainer[Opening]
    def __init__(self, action: _Optional[str] = ..., openings: _Optional[_Iterable[_Union[Opening, _Mapping]]] = ...) -> None: ...

class Opening(_message.Message):
    __slots__ = ("slot", "card", "proof")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    slot: int
    card: int
    proof: Equality
    def __init__(self, slot: _Optional[int] = ..., card: _Optional[int] = ..., proof: _Optional[_Union[Equality, _Mapping]] = ...) -> None: ...

class Seal(_message.Message):
    __slots__ = ("commitment",)
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    commitment: bytes
    def __init__(self, commitment: _Optional[bytes] = ...) -> None: ...

class Unseal(_message.Message):
    __slots__ = ("choice", "salt")
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    choice: str
    salt: bytes
    def __init__(self, choice: _Optional[str] = ..., salt: _Optional[bytes] = ...) -> None: ...

class Resign(_message.Message):
    __slots__ = ("seed",)
    SEED_FIELD_NUMBER: _ClassVar[int]
    seed: bytes
    def __init__(self, seed: _Optional[bytes] = ...) -> None: ...

class CarriedNote(_message.Message):
    __slots__ = ("body", "signature")
    BODY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    signature: bytes
    def __init__(self, body: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class NoteBody(_message.Message):
    __slots__ = ("version", "table", "round", "seat", "head", "resign")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    version: int
    table: bytes
    round: int
    seat: int
    head: bytes
    resign: Resign
    def __init__(self, version: _Optional[int] = ..., table: _Optional[bytes] = ..., round: _Optional[int] = ..., seat: _Optional[int] = ..., head: _Optional[bytes] = ..., resign: _Optional[_Union[Resign, _Mapping]] = ...) -> None: ...

class Reveal(_message.Message):
    __slots__ = ("seed",)
    SEED_FIELD_NUMBER: _ClassVar[int]
    seed: bytes
    def __init__(self, seed: _Optional[bytes] = ...) -> None: ...
