package dev.chargehand.search.internal.rank;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The terms that documents use for one another, from the groups of {@code synonyms.txt}. */
final class Synonyms {

    private static final Map<String, Set<String>> OTHERS = read();

    private Synonyms() {}

    /** Return the terms that count as a term; empty if there are none. */
    static Set<String> of(String term) {
        return OTHERS.getOrDefault(term, Set.of());
    }

    private static Map<String, Set<String>> read() {
        Map<String, Set<String>> others = new HashMap<>();
        for (String group : lines()) {
            if (!group.isBlank() && !group.startsWith("#")) {
                Set<String> terms = List.of(group.split("\\s+")).stream()
                        .flatMap(word -> Terms.of(word).stream())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                for (String term : terms) {
                    Set<String> rest = others.computeIfAbsent(term, none -> new HashSet<>());
                    terms.stream().filter(other -> !other.equals(term)).forEach(rest::add);
                }
            }
        }
        return others;
    }

    private static List<String> lines() {
        try (InputStream in = Synonyms.class.getResourceAsStream("synonyms.txt")) {
            if (in == null) {
                throw new IllegalStateException("synonyms.txt is missing from the archive of this class.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("synonyms.txt cannot be read.", e);
        }
    }
}
