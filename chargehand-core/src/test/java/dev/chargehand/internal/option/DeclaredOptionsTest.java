package dev.chargehand.internal.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.option.Option.Inheritance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The page of all options has the options that are declared, with their defaults and what sub-agents have of them. */
class DeclaredOptionsTest {

    /** The cells of a row: the method, the default, a description, and what sub-agents have. */
    private static List<List<String>> rows() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/options.md"));
        int start = lines.indexOf("## Options of a run");
        List<String> section = lines.subList(start + 1, lines.size());
        return section.stream()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static String method(List<String> row) {
        return row.getFirst().substring(1, row.getFirst().indexOf('('));
    }

    /** Returns the name of the option that a method sets: {@code addStopWhen} and {@code addListener} add one value. */
    private static boolean sets(String method, Option<?> option) {
        String added = method.startsWith("add")
                ? method.substring(3, 4).toLowerCase(Locale.ROOT) + method.substring(4)
                : method;
        return List.of(added, added + "s").contains(option.name());
    }

    private static List<Option<?>> optionsOf(List<String> row) {
        return Options.all().stream()
                .filter(option -> sets(method(row), option))
                .toList();
    }

    @Test
    void everyOptionHasARowAndEveryRowAnOption() throws IOException {
        List<List<String>> rows = rows();
        assertThat(Options.all()).filteredOn(option -> option != Options.KIND).allSatisfy(option -> assertThat(rows)
                .anyMatch(row -> sets(method(row), option)));
        assertThat(rows).allSatisfy(row -> assertThat(optionsOf(row)).isNotEmpty());
    }

    @Test
    void aNumberASwitchOrAConstantStandsWithItsDefault() throws IOException {
        List<List<String>> rows = rows().stream()
                .filter(row -> optionsOf(row).size() == 1 && !row.get(1).isEmpty())
                .toList();
        assertThat(rows).hasSizeGreaterThan(30).allSatisfy(row -> {
            Object byDefault = optionsOf(row).getFirst().byDefault();
            if (byDefault instanceof Number || byDefault instanceof Boolean || byDefault instanceof Enum<?>) {
                assertThat(row.get(1)).isEqualTo("`" + byDefault + "`");
            }
        });
    }

    @Test
    void whatSubAgentsHaveIsWhatTheOptionDeclares() throws IOException {
        for (List<String> row : rows()) {
            Option<?> option = optionsOf(row).getFirst();
            if (option != Options.THREAD) {
                assertThat(row.get(3)).as("%s", row).startsWith(word(option.inheritance()));
            }
        }
    }

    private static String word(Inheritance inheritance) {
        return inheritance.name().toLowerCase(Locale.ROOT);
    }
}
