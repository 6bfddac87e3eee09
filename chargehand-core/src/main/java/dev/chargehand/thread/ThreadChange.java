package dev.chargehand.thread;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What changes at a thread: its title, its metadata. The rest of the thread stays as it is.
 *
 * <p>The setters change this object and return it. Not thread-safe.
 */
public final class ThreadChange {

    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_METADATA = 16_384;

    private boolean titled;
    private @Nullable String title;
    private boolean replaces;
    private final Map<String, @Nullable Object> metadata = new LinkedHashMap<>();

    /** Create a change of nothing. */
    public ThreadChange() {}

    /**
     * Set the title. Nothing but the application replaces it then, also if it is empty.
     *
     * @param value at most 1,000 characters, or null to give up the title: the thread has none, and gets one as a new
     *     thread does, of the next words of its user and of a model
     * @throws ConfigurationException if it is longer
     */
    public ThreadChange title(@Nullable String value) {
        if (value != null && value.length() > LONGEST_TITLE) {
            throw new ConfigurationException("The title of a thread has at most " + LONGEST_TITLE
                    + " characters, but this one has " + value.length() + ".");
        }
        titled = true;
        title = value;
        return this;
    }

    /**
     * Replace all metadata. The values may be anything with a JSON form; the store keeps at most 16,384 characters of
     * JSON per thread.
     */
    public ThreadChange metadata(Map<String, ?> values) {
        replaces = true;
        metadata.clear();
        metadata.putAll(values);
        return this;
    }

    /**
     * Add one value to the metadata, or replace it; the other values stay.
     *
     * @param value anything with a JSON form, or null to remove the key
     */
    public ThreadChange addMetadata(String key, @Nullable Object value) {
        metadata.put(key, value);
        return this;
    }

    @Nullable
    String titleAfter(@Nullable String before) {
        return titled ? title : before;
    }

    @Nullable
    TitleSource sourceAfter(@Nullable TitleSource before) {
        return !titled ? before : title == null ? null : TitleSource.USER;
    }

    Json metadataAfter(Json before) {
        if (!replaces && metadata.isEmpty()) {
            return before;
        }
        Map<String, @Nullable Object> after = new LinkedHashMap<>(replaces ? Map.of() : before.fields());
        metadata.forEach((key, value) -> {
            if (value == null) {
                after.remove(key);
            } else {
                after.put(key, value);
            }
        });
        Json written = Json.of(after);
        if (written.text().length() > LONGEST_METADATA) {
            throw new ConfigurationException("The metadata of a thread has at most " + LONGEST_METADATA
                    + " characters of JSON, but would have " + written.text().length()
                    + "; keep large values elsewhere, and their key here.");
        }
        return written;
    }
}
