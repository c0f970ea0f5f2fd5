from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_HOST: _ClassVar[Role]
    ROLE_GUEST: _ClassVar[Role]
    ROLE_WATCHER: _ClassVar[Role]

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_FINISHED: _ClassVar[Reason]
    REASON_LEAVING: _ClassVar[Reason]
    REASON_TAKEN: _ClassVar[Reason]
    REASON_VERSION: _ClassVar[Reason]
    REASON_NOISE: _ClassVar[Reason]
    REASON_FAULT: _ClassVar[Reason]
    REASON_IDLE: _ClassVar[Reason]
    REASON_UNKNOWN_TABLE: _ClassVar[Reason]
    REASON_TROUBLE: _ClassVar[Reason]
    REASON_CODE_NEEDED: _ClassVar[Reason]
    REASON_CODE_WRONG: _ClassVar[Reason]
    REASON_CODE_USED: _ClassVar[Reason]
    REASON_LATER: _ClassVar[Reason]
    REASON_DECLINED: _ClassVar[Reason]
    REASON_NO_WATCHERS: _ClassVar[Reason]
    REASON_PAUSED: _ClassVar[Reason]
    REASON_REPLACED: _ClassVar[Reason]
    REASON_OTHER_HISTORY: _ClassVar[Reason]
ROLE_UNSPECIFIED: Role
ROLE_HOST: Role
ROLE_GUEST: Role
ROLE_WATCHER: Role
REASON_UNSPECIFIED: Reason
REASON_FINISHED: Reason
REASON_LEAVING: Reason
REASON_TAKEN: Reason
REASON_VERSION: Reason
REASON_NOISE: Reason
REASON_FAULT: Reason
REASON_IDLE: Reason
REASON_UNKNOWN_TABLE: Reason
REASON_TROUBLE: Reason
REASON_CODE_NEEDED: Reason
REASON_CODE_WRONG: Reason
REASON_CODE_USED: Reason
REASON_LATER: Reason
REASON_DECLINED: Reason
REASON_NO_WATCHERS: Reason
REASON_PAUSED: Reason
REASON_REPLACED: Reason
REASON_OTHER_HISTORY: Reason

class Frame(_message.Message):
    __slots__ = ("hello", "proof", "entry", "note", "goodbye", "audience", "position", "caught_up", "another", "complete", "chat", "gathering", "presence")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CAUGHT_UP_FIELD_NUMBER: _ClassVar[int]
    ANOTHER_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    CHAT_FIELD_NUMBER: _ClassVar[int]
    GATHERING_FIELD_NUMBER: _ClassVar[int]
    PRESENCE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    proof: HelloProof
    entry: bytes
    note: bytes
    goodbye: Goodbye
    audience: Audience
    position: Position
    caught_up: CaughtUp
    another: Another
    complete: Complete
    chat: Chat
    gathering: Gathering
    presence: Presence
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., proof: _Optional[_Union[HelloProof, _Mapping]] = ..., entry: _Optional[bytes] = ..., note: _Optional[bytes] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., audience: _Optional[_Union[Audience, _Mapping]] = ..., position: _Optional[_Union[Position, _Mapping]] = ..., caught_up: _Optional[_Union[CaughtUp, _Mapping]] = ..., another: _Optional[_Union[Another, _Mapping]] = ..., complete: _Optional[_Union[Complete, _Mapping]] = ..., chat: _Optional[_Union[Chat, _Mapping]] = ..., gathering: _Optional[_Union[Gathering, _Mapping]] = ..., presence: _Optional[_Union[Presence, _Mapping]] = ...) -> None: ...

class Gathering(_message.Message):
    __slots__ = ("game", "seats", "sitters", "seat", "begins")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SITTERS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BEGINS_FIELD_NUMBER: _ClassVar[int]
    game: str
    seats: int
    sitters: _containers.RepeatedCompositeFieldContainer[Sitter]
    seat: int
    begins: bool
    def __init__(self, game: _Optional[str] = ..., seats: _Optional[int] = ..., sitters: _Optional[_Iterable[_Union[Sitter, _Mapping]]] = ..., seat: _Optional[int] = ..., begins: _Optional[bool] = ...) -> None: ...

class Sitter(_message.Message):
    __slots__ = ("name", "identity")
    NAME_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    name: str
    identity: bytes
    def __init__(self, name: _Optional[str] = ..., identity: _Optional[bytes] = ...) -> None: ...

class Presence(_message.Message):
    __slots__ = ("seat", "here", "reason")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    HERE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    seat: int
    here: bool
    reason: Reason
    def __init__(self, seat: _Optional[int] = ..., here: _Optional[bool] = ..., reason: _Optional[_Union[Reason, str]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("rounds", "head", "seat")
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    rounds: int
    head: bytes
    seat: int
    def __init__(self, rounds: _Optional[int] = ..., head: _Optional[bytes] = ..., seat: _Optional[int] = ...) -> None: ...

class CaughtUp(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Complete(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Another(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "program", "identity", "nonce", "role", "table", "name")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    program: str
    identity: bytes
    nonce: bytes
    role: Role
    table: bytes
    name: str
    def __init__(self, protocol: _Optional[int] = ..., program: _Optional[str] = ..., identity: _Optional[bytes] = ..., nonce: _Optional[bytes] = ..., role: _Optional[_Union[Role, str]] = ..., table: _Optional[bytes] = ..., name: _Optional[str] = ...) -> None: ...

class HelloProof(_message.Message):
    __slots__ = ("signature", "admission")
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    ADMISSION_FIELD_NUMBER: _ClassVar[int]
    signature: bytes
    admission: bytes
    def __init__(self, signature: _Optional[bytes] = ..., admission: _Optional[bytes] = ...) -> None: ...

class Chat(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Audience(_message.Message):
    __slots__ = ("count",)
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: Reason
    def __init__(self, reason: _Optional[_Union[Reason, str]] = ...) -> None: ...
