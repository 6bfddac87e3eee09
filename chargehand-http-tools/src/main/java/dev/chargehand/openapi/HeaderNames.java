package dev.chargehand.openapi;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Knows which headers a request may have. */
final class HeaderNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern SECRET =
            Pattern.compile(".*(authorization|cookie|token|secret|password|api-?key).*", Pattern.CASE_INSENSITIVE);

    /** What the connection and the body decide. */
    private static final Set<String> OWN = Set.of(
            "host",
            "connection",
            "keep-alive",
            "content-type",
            "content-length",
            "content-encoding",
            "transfer-encoding",
            "accept-encoding",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "proxy-authorization",
            "proxy-connection");

    private HeaderNames() {}

    /** Return whether a header of this name may be set. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !OWN.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Return whether a header of this name usually carries a secret. */
    static boolean isSecret(String name) {
        return SECRET.matcher(name).matches();
    }

    /** Return whether a text can be the value of a header: printable ASCII on one line. */
    static boolean isValue(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
