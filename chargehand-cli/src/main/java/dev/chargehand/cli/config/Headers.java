package dev.chargehand.cli.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Knows which headers a request may have. */
public final class Headers {

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

    private Headers() {}

    /** Tells whether a header of this name may be set. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !OWN.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Tells whether a header of this name is there to carry a secret. */
    static boolean isSecret(String name) {
        return SECRET.matcher(name).matches();
    }

    /** Tells whether a text can be the value of a header: printable ASCII on one line. */
    public static boolean isValue(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
