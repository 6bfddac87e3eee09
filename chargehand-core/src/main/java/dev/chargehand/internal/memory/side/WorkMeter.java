package dev.chargehand.internal.memory.side;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.OptionalLong;

/**
 * Counts the tokens that models use for the memory of one thread when no run pays for them. Each answer is counted once, at
 * once, and before its result is stored: a process that dies after that has counted it.
 *
 * @param dailyTokens how many tokens the resource of the thread may use on a day, if there is a bound
 */
public record WorkMeter(
        MemoryStore memory, ThreadOwner owner, String threadId, OptionalLong dailyTokens, TimeSource time) {

    private static final Log LOG = Log.of(WorkMeter.class);

    /** Return what counts the answers of models for a part of the memory. */
    public SideMeter of(MemoryUsage.Part part) {
        return new SideMeter() {
            @Override
            public void starts() {
                requireTokens();
            }

            @Override
            public void answered(SideAnswer answer) {
                count(part, answer.model(), answer.usage());
            }
        };
    }

    /**
     * Check that a model may be called.
     *
     * @throws TokensSpentException if the tokens of the day are spent
     */
    public void requireTokens() {
        if (dailyTokens.isEmpty()) {
            return;
        }
        Instant now = time.now();
        LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        Usage used = memory.usage(owner.resourceId(), day).stream()
                .filter(each -> each.day().equals(day)) // another process may be in its tomorrow
                .map(MemoryUsage::usage)
                .reduce(Usage.NONE, Usage::plus);
        if (used.totalTokens() >= dailyTokens.getAsLong()) {
            Instant tomorrow = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
            throw new TokensSpentException(day, Duration.between(now, tomorrow));
        }
    }

    /** Count an answer. An answer that the store fails to keep is not counted again: the store may have kept it. */
    public void count(MemoryUsage.Part part, String model, Usage usage) {
        if (usage.equals(Usage.NONE)) {
            return;
        }
        LocalDate day = LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
        try {
            boolean ignored = memory.addUsage(owner, threadId, new MemoryUsage(day, part, model, usage));
        } catch (ThreadOwnershipException e) {
            LOG.debug("thread {}: it was deleted, and is another owner's now", threadId);
        } catch (StoreException e) {
            LOG.warn(
                    "thread {}: {} tokens of {} for its memory were not counted: {}",
                    threadId,
                    usage.totalTokens(),
                    model,
                    e.getMessage());
        }
    }
}
