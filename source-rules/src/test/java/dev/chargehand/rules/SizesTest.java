package dev.chargehand.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No file is too long to be read in one sitting, and no package has too many types to be remembered. */
class SizesTest {

    private static final int MOST_LINES = 400;
    private static final int MOST_TYPES = 20;

    /** The share of a module that one package may have; smaller modules are one room. */
    private static final double MOST_OF_THE_CORE = 0.2;

    @Test
    void noMainFileIsLongerThanFourHundredLines() throws IOException {
        assertThat(tooLong("main")).isEmpty();
    }

    @Test
    void noTestFileIsLongerThanFourHundredLines() throws IOException {
        assertThat(tooLong("test")).isEmpty();
    }

    @Test
    void noPackageHasMoreThanTwentyTypes() throws IOException {
        Map<Path, Long> types = JavaSources.files("main").stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
        assertThat(types.entrySet().stream()
                        .filter(each -> each.getValue() > MOST_TYPES)
                        .map(each -> JavaSources.PROJECT.relativize(each.getKey()) + ": " + each.getValue()))
                .isEmpty();
    }

    @Test
    void noRoomOfTheCoreHasMoreThanAFifthOfItsLines() throws IOException {
        Map<Path, Long> lines = new TreeMap<>();
        for (Path file : JavaSources.files("main")) {
            if (file.startsWith(JavaSources.PROJECT.resolve("chargehand-core"))) {
                lines.merge(file.getParent(), lines(file), Long::sum);
            }
        }
        long all = lines.values().stream().mapToLong(Long::longValue).sum();
        assertThat(lines.entrySet().stream()
                        .filter(each -> each.getValue() > all * MOST_OF_THE_CORE)
                        .map(each -> JavaSources.PROJECT.relativize(each.getKey()) + ": " + each.getValue()))
                .isEmpty();
    }

    private static List<String> tooLong(String kind) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : JavaSources.files(kind)) {
            long lines = lines(file);
            if (lines > MOST_LINES) {
                found.add(JavaSources.PROJECT.relativize(file) + ": " + lines);
            }
        }
        return found;
    }

    private static long lines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }
}
