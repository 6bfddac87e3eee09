package dev.chargehand.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.model.HashedWords;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HitRangesTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final ThreadLink RUN = new ThreadLink("own", ANN, 100);

    private static final long DELETED = 150;

    @Test
    void theMessagesAroundAFoundOneAreAdded() {
        assertThat(ranges(2, 1, hit("other", 10, 0.9))).containsExactly(range("other", 8, 12, 0.9));
    }

    @Test
    void aRangeStaysInItsThread() {
        assertThat(ranges(5, 5, hit("other", 2, 0.9))).containsExactly(range("other", 0, 8, 0.9));
        assertThat(ranges(0, 20, hit("other", 195, 0.9))).containsExactly(range("other", 195, 200, 0.9));
    }

    @Test
    void noMessageOfTheRunItselfIsRecalled() {
        assertThat(ranges(1, 5, hit("own", 98, 0.9))).containsExactly(range("own", 97, 100, 0.9));
        assertThat(ranges(0, 5, hit("own", 100, 0.9))).isEmpty();
    }

    @Test
    void rangesThatOverlapBecomeOneWithTheBestScore() {
        assertThat(ranges(1, 1, hit("other", 10, 0.5), hit("other", 12, 0.9), hit("own", 10, 0.7)))
                .containsExactly(range("other", 9, 14, 0.9), range("own", 9, 12, 0.7));
        assertThat(ranges(1, 1, hit("other", 10, 0.5), hit("other", 14, 0.4), hit("other", 12, 0.3)))
                .containsExactly(range("other", 9, 16, 0.5));
        assertThat(ranges(0, 0, hit("other", 10, 0.5), hit("other", 11, 0.4)))
                .containsExactly(range("other", 10, 11, 0.5), range("other", 11, 12, 0.4));
    }

    @Test
    void aRangeEndsAtADeletedMessage() {
        assertThat(ranges(5, 5, hit("other", DELETED - 2, 0.9)))
                .containsExactly(range("other", DELETED - 7, DELETED, 0.9));
        assertThat(ranges(5, 5, hit("other", DELETED + 1, 0.9)))
                .containsExactly(range("other", DELETED + 1, DELETED + 7, 0.9));
        assertThat(ranges(1, 1, hit("other", DELETED, 0.9))).isEmpty();
    }

    private static Set<Long> positions(String threadId, long from, long to) {
        return LongStream.range(from, Math.min(to, 200))
                .filter(position -> position != DELETED)
                .boxed()
                .collect(Collectors.toSet());
    }

    private static List<RecalledRange> ranges(int before, int after, PassageHits.Hit... found) {
        SemanticRecall semantic = Memory.builder()
                .semanticRecall(recall -> recall.by(new HashedWords()).messageRange(before, after))
                .build()
                .semanticRecall()
                .orElseThrow();
        return new HitRanges(RUN, semantic, HitRangesTest::positions).of(List.of(found));
    }

    private static PassageHits.Hit hit(String threadId, long position, double score) {
        return new PassageHits.Hit(ANN, threadId, position, score);
    }

    private static RecalledRange range(String threadId, long from, long to, double score) {
        return new RecalledRange(threadId, from, to, score);
    }
}
