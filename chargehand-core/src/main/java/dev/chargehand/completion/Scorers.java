package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.BoundedText;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The scorers that come with the framework.
 *
 * <p>Each gives a reason that says what to fix, since the reason is the message to the model. All are thread-safe and
 * immutable, and pass at a score of 1 unless {@link Scorer#withThreshold} says otherwise. Arguments that cannot work
 * are rejected with a {@link ConfigurationException} at once.
 */
public final class Scorers {

    private Scorers() {}

    /**
     * Score 1 if a predicate is true of the answer, else 0.
     *
     * @param name what the scorer is called in feedback and results
     * @param output asked about the answer; what it throws counts as failed
     * @param reason the message to the model if it is false; say what to do about it
     */
    public static Scorer predicate(String name, Predicate<String> output, String reason) {
        Texts.requireNotBlank("Scorer '" + name + "': the reason", reason, "say what the answer lacks");
        return Scorer.of(name, context -> output.test(context.text()) ? Score.pass() : Score.fail(reason));
    }

    /**
     * Look for texts in the answer, in any order, upper and lower case alike. The score is the share of the texts that
     * exist.
     *
     * @param texts at least one, none blank
     */
    public static Scorer contains(String... texts) {
        List<String> wanted = List.of(texts);
        if (wanted.isEmpty()) {
            throw new ConfigurationException(
                    "Scorer 'contains' has no text to look for; give at least one, such as contains(\"Summary\").");
        }
        wanted.forEach(text -> Texts.requireNotBlank("Scorer 'contains': a text to look for", text, "name one"));
        return Scorer.of(Texts.named("contains", String.join(", ", wanted)), context -> {
            String output = context.text().toLowerCase(Locale.ROOT);
            List<String> missing = wanted.stream()
                    .filter(text -> !output.contains(text.toLowerCase(Locale.ROOT)))
                    .toList();
            return Texts.share(
                    wanted.size() - missing.size(),
                    wanted.size(),
                    () -> "The answer lacks " + Texts.quoted(missing) + "; put it in word for word.");
        });
    }

    /**
     * Look for a regular expression anywhere in the answer; see {@link #matches(Pattern)}.
     *
     * @throws ConfigurationException if it is not a regular expression
     */
    public static Scorer matches(String regex) {
        Texts.requireNotBlank("Scorer 'matches': the regular expression", regex, "give one, such as (?m)^## Sources");
        try {
            return matches(Pattern.compile(regex));
        } catch (PatternSyntaxException e) {
            throw new ConfigurationException(
                    "Scorer 'matches': '" + regex + "' is not a regular expression (" + e.getDescription()
                            + " near index " + e.getIndex() + "); see java.util.regex.Pattern for what is allowed.",
                    e);
        }
    }

    /**
     * Look for a pattern anywhere in the answer: 1 if it is found, else 0. A pattern that would backtrack for ever
     * counts as failed after a number of steps that grows with the answer.
     */
    public static Scorer matches(Pattern pattern) {
        return Scorer.of(
                Texts.named("matches", pattern.pattern()),
                context -> BoundedText.isFound(pattern, context.text())
                        ? Score.pass()
                        : Score.fail("Nothing in the answer matches the regular expression " + pattern.pattern()
                                + "; write it so that something does."));
    }

    /**
     * Ask for an answer of at least so many characters, without white space around it. The score of a shorter one is
     * the share it has of them.
     *
     * @param characters Unicode code points, at least 1
     */
    public static Scorer minLength(int characters) {
        Texts.requirePositive("Scorer 'minLength': the number of characters", characters);
        return Scorer.of("minLength", context -> {
            int length = Texts.length(context.text());
            return Texts.share(
                    length,
                    characters,
                    () -> "The answer has " + length + " characters, but needs at least " + characters
                            + "; write more, and nothing that is not to the point.");
        });
    }

    /**
     * Ask for an answer of at most so many characters, without white space around it. The score of a longer one is the
     * share of it that is allowed.
     *
     * @param characters Unicode code points, at least 1
     */
    public static Scorer maxLength(int characters) {
        Texts.requirePositive("Scorer 'maxLength': the number of characters", characters);
        return Scorer.of("maxLength", context -> {
            int length = Texts.length(context.text());
            return length <= characters
                    ? Score.pass()
                    : Score.of(
                            (double) characters / length,
                            "The answer has " + length + " characters, but may have at most " + characters
                                    + "; shorten it by " + (length - characters) + ".");
        });
    }

    /**
     * Ask for an answer that is JSON of a type; see {@link #jsonSchema(JsonSchema)}.
     *
     * @param type such as a record; see {@link JsonSchema#of(Class)}
     */
    public static Scorer jsonSchema(Class<?> type) {
        return jsonSchema(JsonSchema.of(type));
    }

    /**
     * Ask for an answer that is one JSON value, alone or in a Markdown fence, and fits a schema: 1 if it does, else 0.
     * The reason lists the violations.
     */
    public static Scorer jsonSchema(JsonSchema schema) {
        return Scorer.of("jsonSchema", context -> JsonTexts.fits(context.text(), schema));
    }

    /**
     * Ask for so many different citations: numbers such as {@code [1]}, places such as {@code docs/concepts.md:12}, and
     * URLs. The score is the share of them that exists.
     *
     * <p>A number and what the answer's list of references says it stands for are one citation. Numbers in code are
     * none. Whether the sources exist is for {@link #citedSourcesExist}, {@link #citedFilesExist} and {@link
     * #citedSourcesWereSeen} to say.
     *
     * @param atLeast at least 1
     */
    public static Scorer citations(int atLeast) {
        Texts.requirePositive("Scorer 'citations': the number of citations", atLeast);
        return Scorer.of("citations", context -> {
            int found = Citations.in(context.text()).size();
            return Texts.share(
                    found,
                    atLeast,
                    () -> "The answer cites " + found + " different " + (found == 1 ? "source" : "sources")
                            + ", but needs " + atLeast + "; cite " + (atLeast - found)
                            + " more, as [1] with a list of references, as file:line such as docs/concepts.md:12, or"
                            + " as a URL.");
        });
    }

    /**
     * Tests every source that the answer cites. The score is the share of those that exist; an answer
     * that cites nothing passes, so combine it with {@link #citations}.
     *
     * @param exists receives a URL or a place such as {@code docs/concepts.md:12}; of a number, what the answer's list of
     *     references says of it if that is neither, or the number in brackets if the list does not have it. What it
     *     throws counts as failed
     */
    public static Scorer citedSourcesExist(Predicate<String> exists) {
        return Scorer.of("citedSourcesExist", context -> {
            List<Citation> cited = Citations.in(context.text());
            List<String> missing =
                    cited.stream().map(Citation::source).filter(exists.negate()).toList();
            return Texts.share(
                    cited.size() - missing.size(),
                    cited.size(),
                    () -> "These sources do not exist: " + String.join(", ", missing)
                            + ". Cite only what you have really found.");
        });
    }

    /**
     * Check every cited place such as {@code docs/concepts.md:12}: the file must be in a folder and have that line. The
     * score is the share of those that do; an answer that cites no place passes, so combine it with {@link #citations}.
     * Of a document whose pages or paragraphs are cited, such as {@code guide.pdf:p12}, only the file must be there.
     *
     * <p>A path may start with the last names of the folder's own path: of the folder {@code /home/docs}, both {@code
     * concepts.md:12} and {@code docs/concepts.md:12} name the same line. Nothing outside the folder is looked at, not
     * even through links, and the reason does not report whether it exists.
     *
     * @param folder a folder that exists
     */
    public static Scorer citedFilesExist(Path folder) {
        CitedFiles files = CitedFiles.of(folder);
        return Scorer.of("citedFilesExist", context -> files.score(context.text()));
    }

    /**
     * Check that every cited source occurs in what tools or sub-agents returned, in this run or earlier in the part of
     * its conversation that the agent remembers. A number must have an entry in the answer's own list of references;
     * the entry's URLs and places are looked for, or its text if it has none. The score is the share of the sources
     * that were seen; an answer that cites nothing passes, so combine it with {@link #citations}.
     */
    public static Scorer citedSourcesWereSeen() {
        return Scorer.of("citedSourcesWereSeen", SeenSources::score);
    }

    /**
     * Ask that a tool was called with success, in any step of the run: 1 if so, else 0.
     *
     * @param name the tool's name; {@code agent-<key>} for a sub-agent
     */
    public static Scorer toolCalled(String name) {
        return ToolCalls.called(name);
    }

    /**
     * Ask that a tool was not called with success in any step of the run: 1 if so, else 0. A call that was rejected or
     * failed does not count. A model cannot take back a call, so {@link Completion#continueOnFail} is best off.
     *
     * @param name the tool's name; {@code agent-<key>} for a sub-agent
     */
    public static Scorer toolNotCalled(String name) {
        return ToolCalls.notCalled(name);
    }

    /**
     * Has a model judge the answer: one call, whose tokens count in the run's total usage and budget. The score is the
     * judge's, from 0 to 1; few judges give a full 1, so set a threshold such as 0.8.
     *
     * <p>The judge sees the question, the task and the answer. The latter two are marked as data, so that an answer
     * that asks for a good score does not get one for that. An empty answer scores 0, and no model is called. A judge
     * that gives no score, or none from 0 to 1, counts as failed.
     *
     * @param name what the scorer is called in feedback and results
     * @param question what to judge the answer by, such as "Is it polite?"
     */
    public static Scorer judge(String name, ModelChoice model, String question) {
        Texts.requireNotBlank("Scorer '" + name + "': the question", question, "say what to judge the answer by");
        Judge judge = new Judge(model, question);
        return Scorer.of(name, judge::score);
    }
}
