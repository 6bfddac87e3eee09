package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Of each type in a sample without imports, the table of packages in docs/getting-started.md says where it is. */
class PackagesOfSamplesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("import (?:static )?dev\\.chargehand\\.([\\w.]+);");

    @TestFactory
    Stream<DynamicTest> everyTypeOfASampleHasItsPackage() throws IOException {
        Set<String> listed = listed();
        Map<Path, String> programs = texts(ROOT.resolve("examples/src"), ".java");
        Map<Path, String> pages = texts(ROOT.resolve("docs"), ".md");
        pages.put(ROOT.resolve("README.md"), Files.readString(ROOT.resolve("README.md")));
        return pages.keySet().stream()
                .sorted()
                .map(page -> DynamicTest.dynamicTest(
                        ROOT.relativize(page).toString(), () -> assertThat(missing(pages.get(page), programs, listed))
                                .as("types of the samples that are missing in the table of packages")
                                .isEmpty()));
    }

    /** Returns the types that samples of a page need and neither import nor find in the table. */
    private static Set<String> missing(String page, Map<Path, String> programs, Set<String> listed) {
        Set<String> missing = new TreeSet<>();
        Matcher samples = SAMPLE.matcher(page);
        while (samples.find()) {
            String sample = samples.group(1);
            // a short sample may be in several programs, of which one is enough
            programs.values().stream()
                    .filter(program -> normal(program).contains(normal(sample)))
                    .map(program -> unknown(sample, program, listed))
                    .min(Comparator.comparingInt(Set::size))
                    .ifPresent(missing::addAll);
        }
        return missing;
    }

    private static Set<String> unknown(String sample, String program, Set<String> listed) {
        Set<String> unknown = new TreeSet<>();
        Matcher imports = IMPORT.matcher(program);
        while (imports.find()) {
            String type = imports.group(1);
            String name = type.substring(type.lastIndexOf('.') + 1);
            boolean used = Pattern.compile("(?<![\\w.\"])" + Pattern.quote(name) + "\\b")
                    .matcher(sample)
                    .find();
            if (used
                    && Character.isUpperCase(name.charAt(0))
                    && !type.startsWith("examples.")
                    && !sample.contains(imports.group())
                    && !listed.contains(type)) {
                unknown.add(type);
            }
        }
        return unknown;
    }

    /** Returns the types of the table as imports name them, without {@code dev.chargehand}. */
    private static Set<String> listed() throws IOException {
        Set<String> types = new TreeSet<>();
        for (List<String> row : Page.of("getting-started.md").rows("Packages")) {
            String folder = row.getFirst().equals("dev.chargehand")
                    ? ""
                    : row.getFirst().substring(1) + ".";
            Arrays.stream(row.get(1).split("[,;]\\s*")).forEach(type -> types.add(folder + type));
        }
        return types;
    }

    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static Map<Path, String> texts(Path folder, String ending) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> file.toString().endsWith(ending)).forEach(files::add);
        }
        Map<Path, String> texts = new HashMap<>();
        for (Path file : files) {
            texts.put(file, Files.readString(file));
        }
        return texts;
    }
}
