package dev.chargehand.bench.disk;

import dev.chargehand.search.FileSearch;
import dev.chargehand.search.report.SearchReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures what an index that is kept saves: the time to the first answer over a folder that was never indexed, over the
 * same folder again, and after one file has changed.
 */
public final class SearchBench {

    private static final int FILES = 2_000;
    private static final int ROUNDS = 7;
    private static final int PARAGRAPHS = 20;

    private SearchBench() {}

    public static void main(List<String> arguments) throws IOException, InterruptedException {
        int files = arguments.isEmpty() ? FILES : Integer.parseInt(arguments.getFirst());
        Path place = Folders.temporary();
        try {
            Path folder = Files.createDirectory(place.resolve("docs"));
            for (int i = 0; i < files; i++) {
                Files.writeString(folder.resolve(i % 10 == 0 ? i + ".html" : i + ".md"), text(i));
            }
            measure(folder, place.resolve("index"), files);
        } finally {
            Folders.delete(place);
        }
    }

    private static void measure(Path folder, Path index, int files) throws IOException, InterruptedException {
        double[] first = new double[ROUNDS];
        double[] second = new double[ROUNDS];
        double[] changed = new double[ROUNDS];
        double[] ratio = new double[ROUNDS];
        int wrong = 0;
        System.out.printf(
                Locale.ROOT, "%5s %10s %10s %12s %8s%n", "round", "first ms", "again ms", "changed ms", "ratio");
        for (int round = -1; round < ROUNDS; round++) { // the first one only warms up
            Folders.delete(index);
            Answer new1 = answer(folder, index);
            Answer again = answer(folder, index);
            Files.writeString(folder.resolve("1.md"), text(1) + "\nRound " + round + " has changed this.\n");
            Answer after = answer(folder, index);
            if (round < 0) {
                continue;
            }
            wrong += new1.report().read() == files ? 0 : 1;
            wrong += again.report().files() == files ? 0 : 1;
            wrong += new1.found() + again.found() + after.found() == 3 ? 0 : 1;
            first[round] = new1.millis();
            second[round] = again.millis();
            changed[round] = after.millis();
            ratio[round] = again.millis() / new1.millis();
            System.out.printf(
                    Locale.ROOT,
                    "%5d %10.0f %10.0f %12.0f %8.3f  (%d read again)%n",
                    round + 1,
                    first[round],
                    second[round],
                    changed[round],
                    ratio[round],
                    again.report().read());
        }
        System.out.printf(
                Locale.ROOT,
                "search: files=%d first_ms=%.0f again_ms=%.0f one_changed_ms=%.0f ratio_again_to_first=%.3f wrong=%d%n",
                files,
                Median.of(first),
                Median.of(second),
                Median.of(changed),
                Median.of(ratio),
                wrong);
    }

    private record Answer(double millis, int found, SearchReport report) {}

    private static Answer answer(Path folder, Path index) throws InterruptedException {
        long began = System.nanoTime();
        try (FileSearch search = FileSearch.builder(folder)
                .keptIn(index)
                .refreshAfter(Duration.ofDays(1))
                .build()) {
            int found = search.search("topic17", 1).size();
            return new Answer((System.nanoTime() - began) / 1e6, found, search.report());
        }
    }

    private static String text(int file) {
        StringBuilder text = new StringBuilder("# Page " + file + "\n\n");
        for (int i = 0; i < PARAGRAPHS; i++) {
            text.append("## Part ").append(i).append("\n\nThis is about topic").append(file * PARAGRAPHS + i);
            text.append(", which a supervisor delegates to one of its agents, who reads what tools return and answers");
            text.append(" with the places it has found; nobody has to read all of it, and everybody may.\n\n");
        }
        return text.toString();
    }
}
