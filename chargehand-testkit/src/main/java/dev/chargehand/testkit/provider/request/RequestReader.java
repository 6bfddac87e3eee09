package dev.chargehand.testkit.provider.request;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the requests of one connection, one after the other. */
public final class RequestReader {
    private static final int MAX_HEAD_BYTES = 64 * 1024;
    private static final int MAX_BODY_BYTES = 64 * 1024 * 1024;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[4096];
    private int next;
    private int end;
    private int headBytes;

    /** @param out where "100 Continue" goes; no other caller writes while a request is read */
    public RequestReader(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Wait until the client sends more, or close: false. */
    public boolean awaitByte() throws IOException {
        if (next < end) {
            return true;
        }
        int count = in.read(buffer, 0, buffer.length);
        next = 0;
        end = Math.max(count, 0);
        return count > 0;
    }

    /** Read a whole request, of which {@link #awaitByte()} has seen the start. */
    public Incoming read() throws IOException {
        Instant arrivedAt = Instant.now();
        long arrivedNanos = System.nanoTime();
        headBytes = 0;
        Incoming.RequestHead head = requestLine();
        Map<String, List<String>> headers = headers();
        if (headers.containsKey("Expect")) {
            out.write(CONTINUE);
        }
        return new Incoming(head, headers, body(headers), arrivedAt, arrivedNanos);
    }

    private Incoming.RequestHead requestLine() throws IOException {
        String line = line();
        if (line.isEmpty()) {
            line = line();
        }
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        if (first <= 0 || last <= first + 1 || !line.startsWith("HTTP/1.", last + 1)) {
            throw new UnreadableRequestException(400, "the request line is not METHOD PATH HTTP/1.x");
        }
        return new Incoming.RequestHead(
                line.substring(0, first), line.substring(first + 1, last), line.substring(last + 1));
    }

    private Map<String, List<String>> headers() throws IOException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new UnreadableRequestException(400, "a header line has no name");
            }
            headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>(1))
                    .add(line.substring(colon + 1).strip());
        }
        return Collections.unmodifiableMap(headers);
    }

    private byte[] body(Map<String, List<String>> headers) throws IOException {
        List<String> encoding = headers.getOrDefault("Transfer-Encoding", List.of());
        if (!encoding.isEmpty()) {
            if (!encoding.getLast().equalsIgnoreCase("chunked")) {
                throw new UnreadableRequestException(501, "the transfer encoding is not chunked");
            }
            return chunks();
        }
        List<String> length = headers.getOrDefault("Content-Length", List.of("0"));
        return bytes(number(length.getFirst(), 10));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            int extension = size.indexOf(';');
            byte[] chunk = bytes(number(extension < 0 ? size : size.substring(0, extension), 16));
            if (chunk.length == 0) {
                headers();
                return body.toByteArray();
            }
            body.writeBytes(chunk);
            if (body.size() > MAX_BODY_BYTES) {
                throw tooLarge();
            }
            line();
        }
    }

    private static int number(String digits, int radix) throws UnreadableRequestException {
        try {
            long number = Long.parseLong(digits.strip(), radix);
            if (number < 0) {
                throw new UnreadableRequestException(400, "a body length is negative");
            }
            if (number > MAX_BODY_BYTES) {
                throw tooLarge();
            }
            return (int) number;
        } catch (NumberFormatException e) {
            throw new UnreadableRequestException(400, "a body length is not a number");
        }
    }

    private static UnreadableRequestException tooLarge() {
        return new UnreadableRequestException(413, "the body is larger than " + MAX_BODY_BYTES + " bytes");
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        int have = Math.min(length, end - next);
        System.arraycopy(buffer, next, bytes, 0, have);
        next += have;
        if (in.readNBytes(bytes, have, length - have) < length - have) {
            throw new EOFException("the client closed in the middle of a body");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        while (awaitByte()) {
            int from = next;
            while (next < end && buffer[next] != '\n') {
                next++;
            }
            line.append(new String(buffer, from, next - from, StandardCharsets.ISO_8859_1));
            headBytes += next - from + 1;
            if (headBytes > MAX_HEAD_BYTES) {
                throw new UnreadableRequestException(431, "the head is larger than " + MAX_HEAD_BYTES + " bytes");
            }
            if (next < end) {
                next++;
                int length = line.length();
                if (length > 0 && line.charAt(length - 1) == '\r') {
                    line.setLength(length - 1);
                }
                return line.toString();
            }
        }
        throw new EOFException("the client closed in the middle of a request");
    }
}
