package dev.chargehand.spi;

import java.security.SecureRandom;

/**
 * Mints ids of runs, calls and threads; injected, so that a test can foresee them.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface IdSource {

    /** Return a new id that starts with a prefix, such as {@code run_}. */
    String next(String prefix);

    /** Make the default source: 130 random bits of a {@link SecureRandom}, in lower-case letters and digits. */
    static IdSource secure() {
        SecureRandom random = new SecureRandom();
        return prefix -> {
            byte[] bits = new byte[26];
            random.nextBytes(bits);
            StringBuilder id = new StringBuilder(prefix);
            for (byte b : bits) {
                id.append("0123456789abcdefghjkmnpqrstvwxyz".charAt(b & 31));
            }
            return id.toString();
        };
    }
}
