"""Prints an npz or mat file that `lambdascope-cli export` wrote as one JSON object, read by the standard library alone."""
import io
import json
import struct
import sys
import zipfile


def npy(data):
    """Numbers or texts of NumPy's format 1.0, matrices as lists of rows."""
    assert data[:8] == b"\x93NUMPY\x01\x00"
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0
    header = eval(data[10 : 10 + length].decode("latin1"), {})
    kind, shape, body = header["descr"], header["shape"], data[10 + length :]
    assert header["fortran_order"]
    count = 1
    for n in shape:
        count *= n
    if kind == "<f8":
        values = list(struct.unpack("<%dd" % count, body))
    else:
        width = 4 * int(kind[2:])
        values = [body[i * width : (i + 1) * width].decode("utf-32-le").rstrip("\0") for i in range(count)]
    if len(shape) == 2:
        return [values[row :: shape[0]] for row in range(shape[0])]
    return values if shape else values[0]


def element(stream):
    kind, size = struct.unpack("<II", stream.read(8))
    data = stream.read(size)
    stream.read(-size % 8)
    return kind, data


def mat_array(data):
    stream = io.BytesIO(data)
    flags = struct.unpack("<II", element(stream)[1])[0]
    rows, columns = struct.unpack("<ii", element(stream)[1])
    name = element(stream)[1].decode()
    if flags == 1:
        return name, [mat_array(element(stream)[1])[1] for _ in range(rows * columns)]
    kind, body = element(stream)
    if flags == 4:
        assert kind == 4
        return name, body.decode("utf-16-le")
    assert flags == 6 and kind == 9
    values = list(struct.unpack("<%dd" % (rows * columns), body))
    if rows == columns == 1:
        return name, values[0]
    return name, values if columns == 1 else [values[row::rows] for row in range(rows)]


def mat(data):
    assert data[124:128] == b"\x00\x01IM"
    stream = io.BytesIO(data[128:])
    result = {}
    while stream.tell() < len(data) - 128:
        kind, body = element(stream)
        assert kind == 14
        name, value = mat_array(body)
        result[name] = value
    return result


def main():
    file = sys.argv[1]
    if file.endswith(".npz"):
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            result = {name[:-4]: npy(archive.read(name)) for name in archive.namelist()}
    else:
        with open(file, "rb") as stream:
            result = mat(stream.read())
    print(json.dumps(result))


main()
