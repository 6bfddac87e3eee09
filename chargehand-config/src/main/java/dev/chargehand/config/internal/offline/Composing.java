package dev.chargehand.config.internal.offline;

import dev.chargehand.search.QuestionWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What an agent without useful tools does: it quotes the sentences of the findings that fit the question best. */
record Composing(Conversation conversation) {

    /** A few words that are no sentence, such as a heading. */
    private static final Pattern FRAGMENT = Pattern.compile("(?:[^\\s.!?;:]+\\s*){1,5}");

    /** Why there is no answer though there are findings. */
    static final String NO_SENTENCE = "no sentence of the passages fits the question.";

    private static final int MOST = 3;
    private static final int MOST_PER_FINDING = 2;
    private static final int SHORTEST = 20;
    private static final int LONGEST = 600;

    /** What a word is worth that no chosen sentence has had yet, against one that was had. */
    private static final double NEW_WORD = 2;

    /** What a word is worth that only the heading above a sentence has. */
    private static final double IN_HEADING = 0.6;

    /** What a sentence is worth from a place that was not cited yet. */
    private static final double NEW_PLACE = 0.5;

    /** What the first place is worth: the search put it first. */
    private static final double FIRST_PLACE = 2.4;

    /** What steps and samples are worth that answer how something is done. */
    private static final double STEPS = 0.8;

    /** What the first sentence under a heading that has words of the question is worth. */
    private static final double LEAD = 0.4;

    /** How many characters cost as much as a word of the question: a long sentence has words by chance. */
    private static final double LONG = 300;

    /** The share of the best sentence's worth that any other must have. */
    private static final double LEAST = 0.33;

    /**
     * A sentence that may be quoted.
     *
     * @param place of its finding among the findings, from 0
     * @param order of itself in its finding, from 0
     * @param hits the words of the question that it has, with what each counts
     * @param above the words of the question that the headings above it have
     */
    private record Candidate(
            Finding finding, int place, int order, String text, Map<String, Double> hits, Map<String, Double> above) {

        double worth(Set<String> said) {
            double worth = 0;
            for (Map.Entry<String, Double> hit : hits.entrySet()) {
                worth += hit.getValue() * (said.contains(hit.getKey()) ? 1 : NEW_WORD);
            }
            for (Map.Entry<String, Double> hit : above.entrySet()) {
                worth += hits.containsKey(hit.getKey()) ? 0 : hit.getValue() * IN_HEADING;
            }
            return worth;
        }
    }

    Reply reply() {
        List<Finding> findings = conversation.findings();
        return new Reply.Say(quote(findings, conversation.question(), SHORTEST)
                .or(() -> Recollection.answer(conversation))
                .orElse(OfflineModel.NOTHING + " to answer from: "
                        + (findings.isEmpty() ? "there are no passages in this conversation." : NO_SENTENCE)));
    }

    /**
     * Return the sentences of findings that fit a question best, each with its source; empty if none fits.
     *
     * @param shortest how many characters a sentence has at least
     */
    static Optional<String> quote(List<Finding> findings, String question, int shortest) {
        QuestionWords wanted = QuestionWords.of(Words.query(question));
        String file = findings.isEmpty() ? "" : findings.getFirst().file();
        List<Candidate> chosen = choose(candidates(findings, wanted, shortest), file, wanted.asksHow());
        return chosen.isEmpty() ? Optional.empty() : Optional.of(text(chosen));
    }

    private static List<Candidate> candidates(List<Finding> findings, QuestionWords wanted, int shortest) {
        Set<String> sources = findings.stream().map(Finding::source).collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        List<Candidate> candidates = new ArrayList<>();
        for (int place = 0; place < findings.size(); place++) {
            Finding finding = findings.get(place);
            Map<String, Double> above = wanted.in(finding.heading());
            boolean leads = !above.isEmpty();
            List<String> sentences = finding.sentences();
            for (int order = 0; order < sentences.size(); order++) {
                String sentence = sentences.get(order);
                Map<String, Double> hits = wanted.in(sentence);
                if ((leads || !hits.isEmpty())
                        && isQuotable(sentence, sources, finding.isData() ? 1 : shortest)
                        && seen.add(sentence)) {
                    candidates.add(new Candidate(finding, place, order, sentence, hits, above));
                    leads = false; // the first sentence under a heading that fits needs no word of the question
                }
            }
        }
        return candidates;
    }

    /** A passage may show a citation as an example; quoted, it would look like one of ours. */
    private static boolean isQuotable(String sentence, Set<String> sources, int shortest) {
        return sentence.length() >= shortest
                && sentence.length() <= LONGEST
                && !sentence.endsWith(":")
                && (shortest < SHORTEST || !FRAGMENT.matcher(sentence).matches())
                && Findings.CITATION
                        .matcher(sentence)
                        .results()
                        .allMatch(citation ->
                                sources.contains(citation.group(1) == null ? citation.group(2) : citation.group(1)));
    }

    /**
     * Take the best one repeatedly; words that were used before count less.
     *
     * @param file of the first finding, which leads: a search is sure of this place only
     */
    private static List<Candidate> choose(List<Candidate> candidates, String file, boolean asksHow) {
        List<Candidate> left = new ArrayList<>(candidates);
        List<Candidate> chosen = new ArrayList<>();
        Set<String> said = new HashSet<>();
        double least = 0;
        while (chosen.size() < MOST && !left.isEmpty()) {
            List<Candidate> next = chosen.isEmpty()
                    ? left.stream()
                            .filter(each -> each.finding().file().equals(file))
                            .toList()
                    : left;
            if (next.isEmpty()) {
                break;
            }
            Candidate best = next.stream()
                    .max(Comparator.comparingDouble((Candidate each) -> worth(each, said, chosen, asksHow))
                            .thenComparing(Candidate::place, Comparator.reverseOrder())
                            .thenComparing(Candidate::order, Comparator.reverseOrder()))
                    .orElseThrow();
            boolean adds =
                    best.hits().size() > 1 || !said.containsAll(best.hits().keySet());
            if (!chosen.isEmpty() && (best.worth(Set.of()) < least || (chosen.size() >= 2 && !adds))) {
                break;
            }
            least = Math.max(least, best.worth(Set.of()) * LEAST);
            chosen.add(best);
            said.addAll(best.hits().keySet());
            left.removeIf(each -> count(chosen, each.finding()) >= MOST_PER_FINDING
                    || isOtherRow(best, each)
                    || best.text().contains(each.text())
                    || each.text().contains(best.text()));
        }
        return chosen;
    }

    /** Every row has the names of its columns: a further row is an answer only if it has as much of the question. */
    private static boolean isOtherRow(Candidate chosen, Candidate other) {
        return TableRows.isRow(other.text()) && other.worth(Set.of()) < chosen.worth(Set.of());
    }

    private static double worth(Candidate candidate, Set<String> said, List<Candidate> chosen, boolean asksHow) {
        double place = count(chosen, candidate.finding()) == 0 ? NEW_PLACE : 0;
        double rank = FIRST_PLACE / (1 + candidate.place());
        double steps = asksHow && Sentences.isSteps(candidate.text()) ? STEPS : 0;
        double length = candidate.text().length() / LONG;
        double lead = candidate.order() == 0 && !candidate.above().isEmpty() ? LEAD : 0;
        return candidate.worth(said) + lead + place + rank + steps - length;
    }

    private static long count(List<Candidate> chosen, Finding finding) {
        return chosen.stream().filter(each -> each.finding().equals(finding)).count();
    }

    /** A paragraph for each finding, the best first, a citation after each sentence. */
    private static String text(List<Candidate> chosen) {
        Map<Finding, List<Candidate>> paragraphs = new LinkedHashMap<>();
        chosen.forEach(each -> paragraphs
                .computeIfAbsent(each.finding(), finding -> new ArrayList<>())
                .add(each));
        return paragraphs.values().stream()
                .map(sentences -> sentences.stream().map(Composing::cited).collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n\n"));
    }

    private static String cited(Candidate each) {
        String source = each.finding().source();
        if (source.isEmpty()) {
            return each.text();
        }
        return each.text() + (Sentences.isSteps(each.text()) ? "\n[" + source + "]\n" : " [" + source + "]");
    }
}
