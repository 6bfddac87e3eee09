package dev.chargehand.server.internal.wire.aisdk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The texts and reasonings of a message that have started and not ended. Used by one thread. */
final class OpenTexts {

    private final BiConsumer<String, Map<String, ?>> chunks;
    private final Map<String, String> open = new LinkedHashMap<>();

    /**
     * Make it.
     *
     * @param chunks receives the type and the fields of each chunk
     */
    OpenTexts(BiConsumer<String, Map<String, ?>> chunks) {
        this.chunks = chunks;
    }

    /** Start a text unless it has started. */
    void open(String kind, String id) {
        if (open.putIfAbsent(id, kind) == null) {
            chunks.accept(kind + "-start", Map.of("id", id));
        }
    }

    /** Add to a text, which starts with it at the latest. */
    void add(String kind, String id, String part) {
        open(kind, id);
        chunks.accept(kind + "-delta", Map.of("id", id, "delta", part));
    }

    /** End a text if it has started. */
    void close(String id) {
        String kind = open.remove(id);
        if (kind != null) {
            chunks.accept(kind + "-end", Map.of("id", id));
        }
    }

    /** End all, reasonings first. */
    void closeAll() {
        List<String> reasonings = open.keySet().stream()
                .filter(id -> "reasoning".equals(open.get(id)))
                .toList();
        reasonings.forEach(this::close);
        List.copyOf(open.keySet()).forEach(this::close);
    }
}
