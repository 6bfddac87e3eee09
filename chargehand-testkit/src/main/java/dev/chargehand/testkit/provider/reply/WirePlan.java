package dev.chargehand.testkit.provider.reply;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** A reply as it is played: everything that can be computed before the request comes has been computed. */
public record WirePlan(Bytes head, Framing framing, Pacing pacing, List<Action> actions, Finish finish) {

    static WirePlan of(
            int status,
            List<Header> headers,
            Framing framing,
            boolean gzip,
            Pacing pacing,
            List<Action> actions,
            Finish finish) {
        List<Action> played = gzip ? compressed(actions, finish) : actions;
        List<Header> sent = new ArrayList<>(headers);
        if (gzip) {
            sent.add(new Header("Content-Encoding", "gzip"));
        }
        if (sent.stream().noneMatch(WirePlan::frames)) {
            switch (framing) {
                case CHUNKED -> sent.add(new Header("Transfer-Encoding", "chunked"));
                case LENGTH -> sent.add(new Header("Content-Length", Long.toString(bodyBytes(played))));
                case UNTIL_CLOSE -> sent.add(new Header("Connection", "close"));
                case NONE -> {}
            }
        }
        return new WirePlan(head(status, sent), framing, pacing, played, finish);
    }

    private static boolean frames(Header header) {
        return header.name().equalsIgnoreCase("Content-Length") || header.name().equalsIgnoreCase("Transfer-Encoding");
    }

    private static Bytes head(int status, List<Header> headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + reason(status) + "\r\n");
        headers.forEach(
                h -> head.append(h.name()).append(": ").append(h.value()).append("\r\n"));
        return Bytes.of(head.append("\r\n").toString());
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 529 -> "Overloaded";
            default -> status < 400 ? "Status" : "Error";
        };
    }

    private static long bodyBytes(List<Action> actions) {
        long bytes = 0;
        for (Action action : actions) {
            if (action instanceof Action.Part part) {
                bytes += (long) part.content().array.length * part.times();
            }
        }
        return bytes;
    }

    /** Each part becomes its share of one gzip stream, so that pauses and cuts stay where they were. */
    private static List<Action> compressed(List<Action> actions, Finish finish) {
        ByteArrayOutputStream share = new ByteArrayOutputStream();
        List<Action> played = new ArrayList<>();
        try (GZIPOutputStream gzip = new GZIPOutputStream(share, 8192, true)) {
            for (Action action : actions) {
                if (action instanceof Action.Part part) {
                    for (int i = 0; i < part.times(); i++) {
                        gzip.write(part.content().array);
                    }
                    gzip.flush();
                    played.add(new Action.Part(Bytes.of(share.toByteArray()), 1));
                    share.reset();
                } else {
                    played.add(action);
                }
            }
            if (finish == Finish.KEEP_OPEN || finish == Finish.CLOSE) {
                gzip.finish();
                played.add(new Action.Part(Bytes.of(share.toByteArray()), 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return played;
    }
}
