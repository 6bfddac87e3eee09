package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.search.report.SearchReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSearchLifeTest {

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder).with("a.md", "one apple");
    }

    @Test
    void theIndexIsBuiltOnFirstUseAndOnceUntilItIsTimeToLookAgain() throws Exception {
        try (FileSearch search =
                FileSearch.builder(folder).refreshAfter(Duration.ofDays(1)).build()) {
            docs.with("b.md", "two apples");
            assertThat(search.search("apple", 5)).hasSize(2);

            docs.with("c.md", "three apples");
            assertThat(search.search("apple", 5)).hasSize(2);
            assertThat(search.report()).isSameAs(search.report());
        }
    }

    @Test
    void manyMayAskAtOnce() throws Exception {
        try (FileSearch search = docs.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<SearchReport>> reports = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        assertThat(search.search("apple", 5)).hasSize(1);
                        return search.report();
                    }))
                    .toList();
            start.countDown();

            SearchReport first = reports.getFirst().get();
            for (Future<SearchReport> report : reports) {
                assertThat(report.get()).isSameAs(first);
            }
        }
    }

    @Test
    void afterClosingNothingIsSearchedNorBuilt() throws Exception {
        FileSearch unused = docs.open();
        FileSearch used = docs.open();
        assertThat(used.search("apple", 5)).hasSize(1);
        for (FileSearch search : List.of(unused, used)) {
            search.close();
            search.close();
            assertThatThrownBy(() -> search.search("apple", 5))
                    .isInstanceOfSatisfying(
                            ChargehandException.class, e -> assertThat(e.code()).isEqualTo("search-closed"));
            assertThatThrownBy(search::report).isInstanceOf(ChargehandException.class);
        }
    }

    @Test
    void closingInTheMiddleGivesAnswersOrThatItIsClosed() throws Exception {
        FileSearch search = docs.open();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch answered = new CountDownLatch(20);
            List<Future<String>> ends = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> {
                        try {
                            while (search.search("apple", 5).size() == 1) {
                                answered.countDown();
                            }
                            return "wrong answer";
                        } catch (ChargehandException e) {
                            return e.code();
                        }
                    }))
                    .toList();
            boolean allAnswered;
            try {
                allAnswered = answered.await(20, TimeUnit.SECONDS);
            } finally {
                search.close();
            }
            assertThat(allAnswered).isTrue();

            for (Future<String> end : ends) {
                assertThat(end.get()).isEqualTo("search-closed");
            }
        }
    }

    @Test
    void anInterruptEndsTheBuildingAndTheNextCallBuilds() throws Exception {
        try (FileSearch search = docs.open()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(search::report).isInstanceOf(InterruptedException.class);

            assertThat(Thread.interrupted()).isFalse();
            assertThat(search.report()).isEqualTo(new SearchReport(1, 1, 1, 0, List.of(), List.of()));
        }
    }

    @Test
    void theConsoleStaysClean() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstSearch.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip())
                .isEqualTo("1 null");
        assertThat(process.waitFor()).isZero();
    }

    /** A program of its own: what Lucene prints, it prints once per process. */
    static final class FirstSearch {
        private FirstSearch() {}

        public static void main(String[] folder) throws InterruptedException {
            try (FileSearch search = FileSearch.over(Path.of(folder[0]))) {
                int found = search.search("apple", 5).size();
                System.out.println(found + " "
                        + java.util.logging.Logger.getLogger(
                                        "org.apache.lucene.internal.vectorization.VectorizationProvider")
                                .getLevel());
            }
        }
    }
}
