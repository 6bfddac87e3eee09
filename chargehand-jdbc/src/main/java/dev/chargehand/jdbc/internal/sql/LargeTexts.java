package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.store.Append;
import dev.chargehand.store.ThreadAppend;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The texts of an append that are too large for their rows, under the hashes by which they are stored aside.
 *
 * <p>They are found and hashed on the caller's thread, before a transaction starts.
 */
public final class LargeTexts {

    /** The longest text that stays in its row, in characters. */
    private static final int LONGEST_IN_PLACE = 16 * 1024;

    private final Map<String, String> hashes = new HashMap<>();

    private LargeTexts() {}

    public static LargeTexts of(List<Append> appends) {
        LargeTexts large = new LargeTexts();
        for (Append append : appends) {
            append.facts().forEach(fact -> large.add(fact.text()));
            large.add(append.threads());
            append.taskEnd().ifPresent(end -> large.add(List.of(end.message())));
        }
        return large;
    }

    /** Find those of messages that no run says. */
    public static LargeTexts ofThreads(List<ThreadAppend> threads) {
        LargeTexts large = new LargeTexts();
        large.add(threads);
        return large;
    }

    private void add(List<ThreadAppend> threads) {
        threads.forEach(thread -> thread.entries().forEach(entry -> add(entry.text())));
    }

    private void add(String text) {
        if (text.length() > LONGEST_IN_PLACE) {
            hashes.computeIfAbsent(text, LargeTexts::hash);
        }
    }

    /** Return the large texts by their hashes, in the order in which all writers take them. */
    SortedMap<String, String> byHash() {
        SortedMap<String, String> texts = new TreeMap<>();
        hashes.forEach((text, hash) -> texts.put(hash, text));
        return texts;
    }

    /** Return what the row of a text keeps of it: all, or nothing if it is stored aside. */
    String inPlace(String text) {
        return hashes.containsKey(text) ? "" : text;
    }

    /** Return the hash that the row of a text refers to it by, or null if the row has it. */
    @Nullable
    String hashOf(String text) {
        return hashes.get(text);
    }

    /** Return the SHA-256 of a text in UTF-8, in hex. */
    static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
