"""Reads and runs the Julia that `export` writes, where Julia is not installed: `python3 julia.py FILE_test.jl …`.

A reader of its own: tokens, a grammar of the part of Julia that is used, Python as what is run. It knows nothing of
models or of how the text was written, and refuses what it does not know.
"""

import math
import pathlib
import re
import sys

TOKEN = re.compile(r"""(?P<space>[ \t\r]+)|(?P<comment>\#[^\n]*)|(?P<line>\n)|(?P<number>\d+\.?\d*(?:e[+-]?\d+)?)
    |(?P<string>"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_]\w*)|(?P<op>&&|\|\||==|<=|>=|!=|[-+*/\\^<>=!?:,()\[\].])""", re.X)
WORDS = {"module", "function", "for", "if", "else", "end", "return", "const", "in", "break"}


class Matrix:
    def __init__(self, rows, columns):
        self.rows = [[0.0]*columns for _ in range(rows)]


def place(k):
    if not isinstance(k, int) or k < 1:
        raise IndexError(f"places are counted from 1, and this is {k}")
    return k - 1


def at(a, *k):
    return a.rows[place(k[0])][place(k[1])] if isinstance(a, Matrix) else a[place(*k)]


def put(value, a, *k):
    if isinstance(a, Matrix) and k[0] is None:
        if len(value) != len(a.rows):
            raise ValueError("a column of another length")
        for row, x in zip(a.rows, value):
            row[place(k[1])] = x
    elif isinstance(a, Matrix):
        row, j = a.rows[place(k[0])], place(k[1])
        row[j] = (value, row[j])[0]
    else:
        a[place(*k)] = (value, a[place(*k)])[0]


def solve(a, b):
    n = len(b)
    rows = [list(row) + [x] for row, x in zip(a.rows, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k])/max(map(abs, rows[i][k:n]), default=1.0) if any(rows[i][k:n]) else 0.0)
        rows[k], rows[best] = rows[best], rows[k]
        for row in rows[k + 1:]:
            factor = row[k]/rows[k][k]
            if factor:
                for j in range(k, n + 1):
                    row[j] -= factor*rows[k][j]
    x = [0.0]*n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j]*x[j] for j in range(i + 1, n)))/rows[i][i]
    return x


def zeros(n, m=None):
    return [0.0]*n if m is None else Matrix(n, m)


def permuted(a):
    return [x for row in a.rows for x in row] if isinstance(a, Matrix) else list(a)


def fail(text):
    raise ArithmeticError(text)


FUNCTIONS = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "sinh": math.sinh,
    "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "abs": abs,
    "max": max, "min": min, "sign": lambda x: float((x > 0) - (x < 0)),
    "cbrt": lambda x: math.copysign(abs(x)**(1/3), x), "atan": lambda y, x=None: math.atan(y) if x is None else math.atan2(y, x),
    "zeros": zeros, "copy": list, "length": len, "vec": list, "permutedims": permuted, "error": fail, "exit": sys.exit,
    "println": lambda *parts: print("".join(p if isinstance(p, str) else getattr(p, "__name__", repr(p)) for p in parts)),
    "Inf": math.inf,
}


def tokens(text):
    found, depth, at_place = [], 0, 0
    while at_place < len(text):
        match = TOKEN.match(text, at_place)
        if not match:
            raise SyntaxError(f"not read: {text[at_place:at_place + 30]!r}")
        at_place, kind, word = match.end(), match.lastgroup, match.group()
        depth += (word in "([") - (word in ")]") if kind == "op" else 0
        if kind == "line" and depth == 0:
            found.append(("line", "\n"))
        elif kind not in ("space", "comment", "line"):
            found.append((kind, word))
    return found + [("line", "\n"), ("end of file", "")]


class Reader:
    """Statements of Julia as lines of Python."""

    def __init__(self, text):
        self.tokens, self.k, self.lines = tokens(text), 0, []

    def see(self):
        return self.tokens[self.k][1]

    def take(self, *words):
        if words and self.see() not in words:
            raise SyntaxError(f"{' or '.join(words)} is missing before {self.see()!r}")
        self.k += 1
        return self.tokens[self.k - 1][1]

    def name(self):
        kind, word = self.tokens[self.k]
        if kind != "name" or word in WORDS:
            raise SyntaxError(f"a name is missing before {word!r}")
        self.k += 1
        return "v_" + word

    def statements(self, indent, *ends):
        count = len(self.lines)
        while self.see() not in ends:
            if self.see() == "\n":
                self.take()
            else:
                self.statement(indent)
        if len(self.lines) == count:
            self.lines.append(indent + "pass")
        return self.take()

    def block(self, head, indent, *ends):
        self.lines.append(indent + head)
        return self.statements(indent + "    ", *ends)

    def statement(self, indent):
        word = self.see()
        if word == "module":
            self.take()
            name = self.name()
            self.block(f"class {name}_body:", indent, "end")
            raise SyntaxError("a module is read by itself")
        if word == "function":
            self.take()
            name, arguments = self.name(), []
            self.take("(")
            while self.see() != ")":
                one = self.name()
                if self.see() == "=":
                    self.take()
                    one += "=" + self.expression()
                arguments.append(one)
                if self.see() != ")":
                    self.take(",")
            self.take(")")
            self.block(f"def {name}({', '.join(arguments)}):", indent, "end")
        elif word == "for":
            self.take()
            name = self.name()
            if self.take("=", "in") == "=":
                first = self.sum()
                self.take(":")
                over = f"range({first}, {self.sum()} + 1)"
            else:
                over = self.expression()
            self.block(f"for {name} in {over}:", indent, "end")
        elif word == "if":
            self.take()
            if self.block(f"if {self.expression()}:", indent, "else", "end") == "else":
                self.block("else:", indent, "end")
        elif word == "return":
            self.take()
            self.lines.append(f"{indent}return {self.listed()}")
        elif word == "break":
            self.lines.append(indent + self.take())
        else:
            if word == "const":
                self.take()
            self.assignment(indent)
        self.take("\n")

    def assignment(self, indent):
        left = [self.postfix()]
        while self.see() == ",":
            self.take()
            left.append(self.postfix())
        if self.see() != "=":
            self.lines.append(indent + ", ".join(left))
            return
        self.take()
        value = self.expression()
        entry = re.fullmatch(r"at\((.*)\)", left[0])
        self.lines.append(indent + (f"put({value}, {entry[1]})" if entry else f"{', '.join(left)} = {value}"))

    def listed(self):
        parts = [self.expression()]
        while self.see() == ",":
            self.take()
            parts.append(self.expression())
        return ", ".join(parts)

    def expression(self):
        value = self.either()
        if self.see() == "?":
            self.take()
            then = self.expression()
            self.take(":")
            return f"({then} if {value} else {self.expression()})"
        return value

    def chain(self, below, words):
        value = below()
        while self.see() in words:
            word = self.take()
            value = words[word](value, below())
        return value

    def either(self):
        return self.chain(self.both, {"||": lambda a, b: f"({a} or {b})"})

    def both(self):
        return self.chain(self.compared, {"&&": lambda a, b: f"({a} and {b})"})

    def compared(self):
        made = {word: (lambda a, b, word=word: f"({a} {word} {b})") for word in ("<", ">", "<=", ">=", "==", "!=")}
        return self.chain(self.sum, made)

    def sum(self):
        return self.chain(self.product, {"+": lambda a, b: f"({a} + {b})", "-": lambda a, b: f"({a} - {b})"})

    def product(self):
        made = {"*": lambda a, b: f"({a}*{b})", "/": lambda a, b: f"({a}/{b})", "\\": lambda a, b: f"solve({a}, {b})"}
        return self.chain(self.signed, made)

    def signed(self):
        if self.see() == "-":
            self.take()
            return f"(-{self.signed()})"
        if self.see() == "!":
            self.take()
            return f"(not {self.signed()})"
        return self.power()

    def power(self):
        base = self.postfix()
        if self.see() == "^":
            self.take()
            return f"math.pow({base}, {self.signed()})"
        return base

    def bracketed(self, close):
        parts = []
        while self.see() != close:
            if self.see() == ":":
                self.take()
                parts.append("None")
            else:
                parts.append(self.expression())
            if self.see() != close:
                self.take(",")
        self.take(close)
        return parts

    def postfix(self):
        value = self.primary()
        while self.see() in ("(", "[", "."):
            word = self.take()
            if word == ".":
                value = f"{value}[\"{self.name()}\"]"
            elif word == "(":
                value = f"{value}({', '.join(self.bracketed(')'))})"
            elif value == "v_Float64":
                value = f"[{', '.join(f'float({x})' for x in self.bracketed(']'))}]"
            else:
                value = f"at({', '.join([value] + self.bracketed(']'))})"
        return value

    def primary(self):
        kind, word = self.tokens[self.k]
        if kind in ("number", "string"):
            return self.take()
        if kind == "name":
            return self.name()
        if word == "(":
            self.take()
            parts = self.bracketed(")")
            return f"({', '.join(parts)})" if len(parts) == 1 else f"({', '.join(parts)},)"
        if word == "[":
            self.take()
            return f"[{', '.join(self.bracketed(']'))}]"
        raise SyntaxError(f"not read: {word!r}")


def run(text, folder):
    names = {"at": at, "put": put, "solve": solve, "math": math, "v_include": lambda name: include(folder, name, names)}
    names.update({"v_" + name: value for name, value in FUNCTIONS.items()})
    reader = Reader(text)
    reader.statements("", "", "end")
    exec(compile("\n".join(reader.lines) + "\n", "julia", "exec"), names)
    return names


def include(folder, name, names):
    text = (folder / name).read_text(encoding="utf-8")
    match = re.search(r"^module (\w+)\n(.*)^end\n*\Z", text, re.S | re.M)
    names["v_" + match[1]] = run(match[2], folder)


if __name__ == "__main__":
    wrong = 0
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        try:
            run(path.read_text(encoding="utf-8"), path.parent)
        except SystemExit as end:
            wrong |= int(end.code or 0)
    sys.exit(wrong)
