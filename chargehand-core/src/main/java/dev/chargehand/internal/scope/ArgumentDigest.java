package dev.chargehand.internal.scope;

import dev.chargehand.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of arguments, and the idempotency keys built from them. */
public final class ArgumentDigest {

    private static final MessageDigest SHA_256 = newSha256();

    private ArgumentDigest() {}

    /** Return the digest of a JSON value, the same for any order of keys. */
    public static String of(Json json) {
        return hash(json.canonical().text());
    }

    /** Return the idempotency key of a call: the same whenever this very call is executed again. */
    public static String idempotencyKey(String runId, int step, String callId, String argumentDigest) {
        return hash(runId + "\n" + step + "\n" + callId + "\n" + argumentDigest);
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Copy one that exists: to look one up takes longer, and leaves a thread-local behind on the run's thread. */
    private static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            return newSha256();
        }
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
