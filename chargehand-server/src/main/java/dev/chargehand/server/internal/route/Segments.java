package dev.chargehand.server.internal.route;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decodes what is percent-encoded in paths and queries. */
final class Segments {

    private Segments() {}

    /** Decode a segment of a path. */
    static String decoded(String raw) {
        return decoded(raw, Problem.BAD_PATH);
    }

    /**
     * Return the parameters of a query.
     *
     * @throws ProblemException if it cannot be decoded, or names a parameter twice
     */
    static Map<String, String> query(String raw) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : raw.isEmpty() ? new String[0] : raw.split("&")) {
            int equals = part.indexOf('=');
            String name =
                    decoded((equals < 0 ? part : part.substring(0, equals)).replace('+', ' '), Problem.BAD_REQUEST);
            String value = equals < 0 ? "" : decoded(part.substring(equals + 1).replace('+', ' '), Problem.BAD_REQUEST);
            if (parameters.put(name, value) != null) {
                throw Problem.BAD_REQUEST.of("A parameter of the query is named twice; name each once.");
            }
        }
        return parameters;
    }

    private static String decoded(String raw, Problem problem) {
        return isPlain(raw) ? raw : decode(raw, problem);
    }

    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%' || !isVisible(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVisible(char c) {
        return c > 0x20 && c < 0x7f;
    }

    private static String decode(String raw, Problem problem) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
                int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw problem.of("A percent sign is followed by two hexadecimal digits.");
                }
                bytes.write(high * 16 + low);
                i += 2;
            } else if (isVisible(c)) {
                bytes.write(c);
            } else if (c == ' ' && problem == Problem.BAD_REQUEST) { // a plus sign of a query
                bytes.write(c);
            } else {
                throw problem.of("Characters other than visible ones of ASCII must be percent-encoded.");
            }
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw problem.of("Control characters are not accepted.");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw problem.of("What is percent-encoded must be UTF-8.");
        }
    }
}
