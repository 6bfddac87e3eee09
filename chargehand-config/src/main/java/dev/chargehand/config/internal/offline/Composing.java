package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What an agent without useful tools does: it quotes the sentences of the findings that fit the question best. */
record Composing(Conversation conversation) {

    private static final int MOST = 5;
    private static final int MOST_PER_FINDING = 2;
    private static final int SHORTEST = 20;
    private static final int LONGEST = 420;

    /** What a word is worth that no chosen sentence has had yet, against one that was had. */
    private static final double NEW_WORD = 2;

    /** What a sentence is worth from a place that was not cited yet. */
    private static final double NEW_PLACE = 0.5;

    /**
     * A sentence that may be quoted.
     *
     * @param place of its finding among the findings, from 0
     * @param order of itself in its finding, from 0
     * @param hits the stems of the question's keywords that it has
     */
    private record Candidate(Finding finding, int place, int order, String text, Set<String> hits) {}

    Reply reply() {
        List<Finding> findings = conversation.findings();
        return new Reply.Say(quote(findings, conversation.question(), SHORTEST)
                .or(() -> Recollection.answer(conversation))
                .orElse(OfflineModel.NOTHING + " to answer from: "
                        + (findings.isEmpty()
                                ? "there are no passages in this conversation."
                                : "no sentence of the passages fits the question.")));
    }

    /**
     * Return the sentences of findings that fit a question best, each with its source; empty if none fits.
     *
     * @param shortest how many characters a sentence has at least
     */
    static Optional<String> quote(List<Finding> findings, String question, int shortest) {
        Set<String> wanted = Words.stems(String.join(" ", Words.keywords(question)));
        List<Candidate> chosen = choose(candidates(findings, wanted, shortest));
        return chosen.isEmpty() ? Optional.empty() : Optional.of(text(chosen));
    }

    private static List<Candidate> candidates(List<Finding> findings, Set<String> wanted, int shortest) {
        Set<String> sources = findings.stream().map(Finding::source).collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        List<Candidate> candidates = new ArrayList<>();
        for (int place = 0; place < findings.size(); place++) {
            Finding finding = findings.get(place);
            List<String> sentences = Sentences.of(finding.text());
            for (int order = 0; order < sentences.size(); order++) {
                String sentence = sentences.get(order);
                Set<String> hits = new TreeSet<>(Words.stems(sentence));
                hits.retainAll(wanted);
                if (!hits.isEmpty() && isQuotable(sentence, sources, shortest) && seen.add(sentence)) {
                    candidates.add(new Candidate(finding, place, order, sentence, hits));
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
                && Findings.CITATION
                        .matcher(sentence)
                        .results()
                        .allMatch(citation ->
                                sources.contains(citation.group(1) == null ? citation.group(2) : citation.group(1)));
    }

    /** Take the best one repeatedly; words that were used before count less. */
    private static List<Candidate> choose(List<Candidate> candidates) {
        List<Candidate> left = new ArrayList<>(candidates);
        List<Candidate> chosen = new ArrayList<>();
        Set<String> said = new HashSet<>();
        while (chosen.size() < MOST && !left.isEmpty()) {
            Candidate best = left.stream()
                    .max(Comparator.comparingDouble((Candidate each) -> worth(each, said, chosen))
                            .thenComparing(Candidate::place, Comparator.reverseOrder())
                            .thenComparing(Candidate::order, Comparator.reverseOrder()))
                    .orElseThrow();
            boolean adds = best.hits().size() > 1 || !said.containsAll(best.hits());
            if (chosen.size() >= 2 && !adds) {
                break;
            }
            left.remove(best);
            chosen.add(best);
            said.addAll(best.hits());
            left.removeIf(each -> count(chosen, each.finding()) >= MOST_PER_FINDING);
        }
        chosen.sort(Comparator.comparingInt(Candidate::place).thenComparingInt(Candidate::order));
        return chosen;
    }

    private static double worth(Candidate candidate, Set<String> said, List<Candidate> chosen) {
        double words = 0;
        for (String hit : candidate.hits()) {
            words += said.contains(hit) ? 1 : NEW_WORD;
        }
        double place = count(chosen, candidate.finding()) == 0 ? NEW_PLACE : 0;
        double rank = 0.3 / (1 + candidate.place());
        double length = candidate.text().length() / 1_000.0;
        return words + place + rank - length;
    }

    private static long count(List<Candidate> chosen, Finding finding) {
        return chosen.stream().filter(each -> each.finding().equals(finding)).count();
    }

    /** A paragraph for each finding, a citation after each sentence. */
    private static String text(List<Candidate> chosen) {
        Map<Finding, List<String>> paragraphs = new LinkedHashMap<>();
        for (Candidate each : chosen) {
            String source = each.finding().source();
            paragraphs
                    .computeIfAbsent(each.finding(), finding -> new ArrayList<>())
                    .add(each.text() + (source.isEmpty() ? "" : " [" + source + "]"));
        }
        return paragraphs.values().stream()
                .map(sentences -> String.join(" ", sentences))
                .collect(Collectors.joining("\n\n"));
    }
}
