package dev.chargehand.search.internal.rank;

import dev.chargehand.search.internal.text.PassageIndex;
import dev.chargehand.search.internal.text.PassageIndex.Hit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the passages that answer a question.
 *
 * <p>The index gives the passages that have most of the words. They are put in order again by what BM25 does not see: how
 * much of the question is in one place, in the heading of the passage, and in a guide and not in a record or a list.
 */
public final class Ranking {

    private static final int CANDIDATES = 100;

    private static final double HEADING = 1;
    private static final double PAGE = 0.9;

    /** The share of a question from which on a heading is the question. */
    private static final double SECTION = 0.7;

    /** What forms of passages are worth: a sentence explains more than a list of links, a table or code alone. */
    private static final double STEPS = 1.1;

    private static final double CODE = 0.75;
    private static final double ROWS = 0.85;
    private static final double LINKS = 0.6;

    /** What the score of another place in the same file counts as a rival: it often says more about the answer. */
    private static final double SAME_FILE = 0.8;

    private static final TextWords NONE = new TextWords(Set.of(), Set.of());
    private static final String SEPARATOR = " > ";
    private static final Pattern SENTENCE_END =
            Pattern.compile("(?<=[.!?;])\\s+|\\R\\s*\\R|\\R(?=\\s*(?:[-*+|]|\\d+[.)]))");
    private static final Pattern FENCE = Pattern.compile("\\s*(?:```|~~~)");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^[ \\t]*+```.*?(?:^[ \\t]*+```|\\z)");
    private static final Pattern MARKUP = Pattern.compile("<\\w++\\s[^<>=]*+=[^<>]*+>|]\\([^()\\s]*+\\)");
    private static final Pattern STEP = Pattern.compile("(?m)^[ \\t]*+(?:```|~~~|1[.)]\\s)");
    private static final Pattern CODE_LINE = Pattern.compile("[{};]\\s*$|^\\s{4,}[^\\s*+-]|^\\s*[.)}]");
    private static final Pattern LINK_LINE = Pattern.compile("\\s*+[-*+]?+\\s*+!?\\[[^\\]]*+]\\([^)]*+\\).{0,40}");

    private final PassageIndex index;
    private final Question question;
    private final double[] rarity;
    private final Set<String> terms;

    /**
     * A passage that was found.
     *
     * @param sure from 0 to 1, how sure it is that it answers the question
     */
    public record Ranked(Hit hit, double sure) {}

    private record Scored(Hit hit, double score) {

        Place place() {
            return new Place(hit.path(), hit.heading().isEmpty() ? "#" + hit.number() : hit.heading());
        }
    }

    /** A section of a file; without a heading, a passage. */
    private record Place(String path, String section) {}

    private Ranking(PassageIndex index, Question question) throws IOException {
        this.index = index;
        this.question = question;
        this.terms = question.words().stream()
                .flatMap(word -> Stream.concat(word.terms().keySet().stream(), word.synonyms().stream()))
                .collect(Collectors.toUnmodifiableSet());
        this.rarity = new double[question.words().size()];
        for (int i = 0; i < rarity.length; i++) {
            rarity[i] = rarity(question.words().get(i));
        }
    }

    /** Return the best passages, best first; those that are equally good in the order of files and places. */
    public static List<Ranked> of(PassageIndex index, String text, int limit) throws IOException {
        Question question = Question.of(text);
        return question.words().isEmpty() ? List.of() : new Ranking(index, question).best(limit);
    }

    private List<Ranked> best(int limit) throws IOException {
        List<Scored> scored = new ArrayList<>();
        for (Hit hit : index.search(PassageQuery.of(question), CANDIDATES)) {
            scored.add(score(hit));
        }
        scored.sort(Comparator.comparingDouble(Scored::score).reversed());
        Map<Place, Double> places = new LinkedHashMap<>();
        scored.forEach(each -> places.merge(each.place(), each.score(), Math::max));
        readSectionsFromTheirStart(scored);
        return scored.stream()
                .limit(limit)
                .map(each -> new Ranked(each.hit(), evidence(each, places).sure()))
                .toList();
    }

    private Evidence evidence(Scored scored, Map<Place, Double> places) {
        Place place = scored.place();
        double score = places.getOrDefault(place, 0.0);
        double next = places.entrySet().stream()
                .filter(other -> !other.getKey().equals(place))
                .mapToDouble(other -> other.getValue() * (other.getKey().path().equals(place.path()) ? SAME_FILE : 1))
                .max()
                .orElse(0);
        return new Evidence(
                Math.min(scored.hit().score() / Arrays.stream(rarity).sum(), 1),
                score == 0 ? 1 : Math.min(next / score, 1),
                share(TextWords.of(innermost(scored.hit()))));
    }

    /**
     * A section whose heading is the question answers it from its start: its passages keep their ranks, in their order. One
     * that has the question in its own words stays where it is.
     */
    private void readSectionsFromTheirStart(List<Scored> scored) {
        Map<Place, List<Integer>> sections = new LinkedHashMap<>();
        for (int i = 0; i < scored.size(); i++) {
            Hit hit = scored.get(i).hit();
            if (share(TextWords.of(innermost(hit))) >= SECTION && mostInOnePlace(hit.text(), NONE) < SECTION) {
                sections.computeIfAbsent(scored.get(i).place(), none -> new ArrayList<>())
                        .add(i);
            }
        }
        for (List<Integer> ranks : sections.values()) {
            List<Scored> inOrder = ranks.stream()
                    .map(scored::get)
                    .sorted(Comparator.comparingInt(each -> each.hit().number()))
                    .toList();
            for (int i = 0; i < ranks.size(); i++) {
                scored.set(ranks.get(i), inOrder.get(i));
            }
        }
    }

    private static String innermost(Hit hit) {
        int last = hit.heading().lastIndexOf(SEPARATOR);
        return last < 0 ? hit.heading() : hit.heading().substring(last + SEPARATOR.length());
    }

    private static String outermost(Hit hit) {
        int first = hit.heading().indexOf(SEPARATOR);
        return first < 0 ? hit.heading() : hit.heading().substring(0, first);
    }

    private static TextWords titles(Hit hit) {
        return TextWords.of(hit.heading() + "\n" + hit.path());
    }

    private Scored score(Hit hit) {
        double fit = mostInOnePlace(hit.text(), titles(hit));
        double score = hit.score()
                * Genre.of(hit.path()).factor(question)
                * fit
                * fit
                * (1 + HEADING * about(innermost(hit)) + PAGE * about(outermost(hit) + "\n" + hit.path()))
                * form(hit.text());
        return new Scored(hit, score);
    }

    /** How far a title is about the question: the share that it has, more if it has little else. */
    private double about(String title) {
        TextWords words = TextWords.of(title);
        long asked = words.terms().stream().filter(terms::contains).count();
        return words.terms().isEmpty()
                ? 0
                : share(words) * (1 + (double) asked / words.terms().size()) / 2;
    }

    /** The largest share of the question that two sentences in a row have, together with the titles above them. */
    private double mostInOnePlace(String text, TextWords titles) {
        double most = 0;
        TextWords before = NONE;
        String prose =
                MARKUP.matcher(CODE_BLOCK.matcher(text).replaceAll("\n\n")).replaceAll(" ");
        for (String sentence :
                SENTENCE_END.splitAsStream(prose.isBlank() ? text : prose).toList()) {
            TextWords words = TextWords.of(sentence);
            most = Math.max(most, share(TextWords.of(List.of(titles, before, words))));
            before = words;
        }
        return most;
    }

    private double form(String text) {
        long lines = text.lines().filter(line -> !line.isBlank()).count();
        long links =
                text.lines().filter(line -> LINK_LINE.matcher(line).matches()).count();
        long rows = text.lines().filter(line -> line.startsWith("|")).count();
        long code = text.lines().filter(line -> CODE_LINE.matcher(line).find()).count();
        if (links * 2 > lines) {
            return LINKS;
        } else if (rows * 2 > lines) {
            return ROWS;
        } else if (FENCE.matcher(text).lookingAt() || code * 2 > lines) {
            return CODE;
        }
        return question.asksHow() && STEP.matcher(text).find() ? STEPS : 1;
    }

    private double share(TextWords text) {
        double has = 0;
        double whole = 0;
        for (int i = 0; i < rarity.length; i++) {
            has += rarity[i] * question.words().get(i).in(text);
            whole += rarity[i];
        }
        return whole == 0 ? 0 : has / whole;
    }

    /** A word that no passage has is as rare as the terms that may be used for it. */
    private double rarity(Wanted word) throws IOException {
        int passages = frequency(word.whole());
        if (passages == 0) {
            passages = frequency(word.synonyms());
        }
        if (passages == 0) {
            passages = frequency(word.terms().keySet());
        }
        return word.weight() * Math.log(1 + index.size() / (passages + 0.5));
    }

    private int frequency(Set<String> terms) throws IOException {
        int passages = 0;
        for (String term : terms) {
            passages = Math.max(passages, index.frequency(term));
        }
        return passages;
    }
}
