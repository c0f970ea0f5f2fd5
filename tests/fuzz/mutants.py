"""Mutants of protobuf messages and of bytes: what a fuzzer throws, made from what honest programs say.

Everything is drawn from the one generator that is handed in, so that a seed gives the same mutants again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bcnet.fairness.group import FIELD, GENERATOR, ORDER, card_points

BYTES = [
    b"",
    b"\x00",
    bytes(31),
    bytes(32),
    bytes(33),
    b"\xff" * 32,
    b"\xff" * 64,
    (1).to_bytes(32, "big"),
    ORDER.to_bytes(32, "big"),
    (ORDER - 1).to_bytes(32, "big"),
    FIELD.to_bytes(32, "big"),
    (FIELD - 1).to_bytes(32, "big"),
    (FIELD + 5).to_bytes(32, "big"),
    GENERATOR.x,
    b"\x02" + GENERATOR.x,
    card_points("toy", "main", 1)[0].x,
    (1).to_bytes(32, "little"),
    bytes(range(13)),
    bytes([0] * 13),
    b"x" * 5000,
]
TEXTS = [
    "",
    " ",
    "left",
    "right",
    "play 0",
    "play 7",
    "play 12",
    "play 200",
    "play -1",
    "play 1 ",
    "play r13 2 0",
    "exchange",
    "exchange r1 r1",
    "pass",
    "decline",
    "claim red red=7",
    "claim grey",
    "\x00",
    "{0}",
    "{number}",
    "%s%s%n",
    "\u202eplay",
    "\ud7ff\ue000",
    "é" * 40,
    "9" * 5000,
    "play " + "1" * 5000,
    "toy",
    "short-toy",
    "balloon-cup",
    "__import__",
]
NUMBERS = [0, 1, 2, 3, 4, 5, 12, 13, 44, 45, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**32 - 1]


def mutate_bytes(rng: random.Random, data: bytes) -> bytes:
    """Change some bytes: flip, cut, insert, double, replace."""
    if not data:
        return rng.choice(BYTES)
    at = rng.randrange(len(data))
    end = min(len(data), at + 1 + rng.randrange(8))
    match rng.randrange(7):
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:at] + rng.randbytes(1 + rng.randrange(4)) + data[at:]
        case 4:
            return data[:end] + data[at:]
        case 5:
            return data[:at] + bytes(end - at) + data[end:]
        case _:
            return rng.choice(BYTES)


def mutate_text(rng: random.Random, text: str) -> str:
    """Change a text: another one, cut, doubled, a letter more."""
    match rng.randrange(5):
        case 0:
            return text[: rng.randrange(len(text) + 1)]
        case 1:
            return text + rng.choice(TEXTS)[:100]
        case 2 if text:
            at = rng.randrange(len(text))
            return text[:at] + chr(rng.choice([0, 9, 32, 48, 57, 0x7F, 0x200B, 0x1F600])) + text[at + 1 :]
        case _:
            return rng.choice(TEXTS)


def mutate_number(rng: random.Random, number: int) -> int:
    """Another number of 32 bits, most often one nearby."""
    if rng.random() < 0.5:
        return max(0, min(2**32 - 1, number + rng.choice([-2, -1, 1, 2])))
    return rng.choice(NUMBERS)


def mutate_message(rng: random.Random, message: Message) -> None:
    """Change one thing somewhere in a message: a value, a list, a whole part."""
    places = list(_places(message))
    if not places:
        return
    holder, field = rng.choice(places)
    if field.is_repeated:
        _mutate_list(rng, getattr(holder, field.name), field)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        part = getattr(holder, field.name)
        if rng.random() < 0.5:
            holder.ClearField(field.name)
        else:
            part.Clear()
            part.SetInParent()
    else:
        setattr(holder, field.name, _mutated_value(rng, field, getattr(holder, field.name)))


def _mutated_value(rng: random.Random, field: FieldDescriptor, value: Any) -> Any:
    change: dict[int, Callable[[random.Random, Any], Any]] = {
        FieldDescriptor.TYPE_BYTES: mutate_bytes,
        FieldDescriptor.TYPE_STRING: mutate_text,
        FieldDescriptor.TYPE_UINT32: mutate_number,
        FieldDescriptor.TYPE_ENUM: lambda rng, _: rng.randrange(4),
    }
    try:
        changed = change[field.type](rng, value)
        if isinstance(changed, str):
            changed.encode()
        return changed
    except UnicodeEncodeError:
        return "?"


def _mutate_list(rng: random.Random, items: Any, field: FieldDescriptor) -> None:
    is_message = field.type == FieldDescriptor.TYPE_MESSAGE
    if not items:
        for _ in range(rng.choice([1, 2, 40])):
            items.add() if is_message else items.append(b"")
        return
    at, other = rng.randrange(len(items)), rng.randrange(len(items))
    match rng.randrange(7):
        case 0:
            del items[:]
        case 1:
            del items[at]
        case 2:
            del items[at:]
        case 3:
            items.append(items[at])
        case 4:
            for item in [items[at]] * rng.choice([2, 50, 300]):
                items.append(item)
        case 5 if is_message:
            copy = type(items[at])()
            copy.CopyFrom(items[at])
            items[at].CopyFrom(items[other])
            items[other].CopyFrom(copy)
        case 5:
            items[at], items[other] = items[other], items[at]
        case _:
            if is_message:
                mutate_message(rng, items[at])
            else:
                items[at] = mutate_bytes(rng, items[at])


def _places(message: Message) -> list[tuple[Message, Any]]:
    """Every field that is set, at any depth, and every other that could be."""
    found: list[tuple[Message, Any]] = []
    for field in message.DESCRIPTOR.fields:
        found.append((message, field))
        if field.type != FieldDescriptor.TYPE_MESSAGE:
            continue
        if field.is_repeated:
            items = getattr(message, field.name)
            for item in list(items)[:3]:
                found += _places(item)
        elif message.HasField(field.name):
            found += _places(getattr(message, field.name))
    return found


def spelt_otherwise(rng: random.Random, data: bytes) -> bytes:
    """The same message in another spelling: something unknown in it, a field twice, an order of its own."""
    match rng.randrange(4):
        case 0:
            return data + b"\xfa\x3f" + bytes([3]) + rng.randbytes(3)
        case 1:
            return data[:2] + data
        case 2:
            return data + b"\x00"
        case _:
            half = rng.randrange(len(data) + 1)
            return data[half:] + data[:half]


def crossed(rng: random.Random, pool: Sequence[bytes], data: bytes) -> bytes:
    """The beginning of one and the end of another."""
    other = rng.choice(pool)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def mutate_encoding(rng: random.Random, pool: Sequence[bytes], data: bytes) -> bytes:
    """Change the bytes of a message, whatever they say: at random, in their spelling, or crossed with another's."""
    match rng.randrange(3):
        case 0:
            return mutate_bytes(rng, data)
        case 1:
            return spelt_otherwise(rng, data)
        case _:
            return crossed(rng, pool, data)
