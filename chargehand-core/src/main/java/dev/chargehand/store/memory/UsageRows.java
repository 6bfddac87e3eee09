package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.Usage;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tokens that were used for the memory of the resources of one tenant, for a store that holds them in memory. Not thread-safe. */
@Experimental
public final class UsageRows {

    private final Map<Key, Usage> rows = new HashMap<>();

    private record Key(@Nullable String resourceId, LocalDate day, MemoryUsage.Part part, String model) {}

    /** Add tokens to those of their resource, day, part and model. */
    public void add(@Nullable String resourceId, MemoryUsage used) {
        rows.merge(new Key(resourceId, used.day(), used.part(), used.model()), used.usage(), Usage::plus);
    }

    /** Return the tokens of a day and later days, as {@link MemoryStore#usage} does. */
    public List<MemoryUsage> since(@Nullable String resourceId, LocalDate day) {
        return rows.entrySet().stream()
                .filter(row -> Objects.equals(row.getKey().resourceId(), resourceId)
                        && !row.getKey().day().isBefore(day))
                .map(row -> new MemoryUsage(
                        row.getKey().day(), row.getKey().part(), row.getKey().model(), row.getValue()))
                .sorted(MemoryUsage.NEWEST_FIRST)
                .toList();
    }

    /** Delete rows of earlier days; returns how many. */
    public int deleteBefore(LocalDate day, int limit) {
        List<Key> old = rows.keySet().stream()
                .filter(key -> key.day().isBefore(day))
                .limit(Math.max(0, limit))
                .toList();
        old.forEach(rows::remove);
        return old.size();
    }

    /** Delete the rows of a resource. */
    public void deleteOf(String resourceId) {
        rows.keySet().removeIf(key -> resourceId.equals(key.resourceId()));
    }
}
