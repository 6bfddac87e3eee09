package dev.chargehand.processor;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.CheckedNumbers;
import dev.chargehand.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Takes personal data and secrets out of texts, by their form: {@code ann@example.org} becomes {@code [email]}.
 *
 * <p>Among the input processors it looks at the input of a run, and before each model call at what the model sees,
 * results of tools included; among the output processors at texts while they arrive, in pieces of any size, and at
 * the result. Arguments of calls are left alone: a tool that sends a mail needs the address.
 *
 * <p>A form is no proof. Cards are held against Luhn's sum and IBANs against their check digits; what is written in
 * words or in an unusual way is not found. Immutable.
 */
public final class Redaction
        implements InputProcessor, InputStepProcessor, OutputStreamProcessor, OutputResultProcessor {

    /** A kind of text that is recognised by its form. */
    public enum Kind {
        /** A private key in PEM. */
        PRIVATE_KEY("private-key"),
        /** A JSON web token. */
        JWT("jwt"),
        /** A key of a well-known service. */
        API_KEY("api-key"),
        /** A bank account, with the right check digits. */
        IBAN("iban"),
        /** A payment card, with the right sum. */
        CARD("card"),
        /** A mail address. */
        EMAIL("email"),
        /** A telephone number with its country, or as written in North America. */
        PHONE("phone");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Return what stands, in brackets, where one was found. */
        public String label() {
            return label;
        }
    }

    /**
     * What to look for.
     *
     * @param name what is where it was found
     * @param beginsWord whether it can only start where a word does
     * @param detector makes what finds it in one text
     */
    record Rule(String name, boolean beginsWord, Supplier<Detector> detector) {

        static Rule of(Kind kind, String pattern) {
            Pattern compiled = Pattern.compile(pattern);
            return new Rule(kind.label(), true, () -> Detector.of(compiled));
        }

        static Rule of(Kind kind, Detector detector) {
            return new Rule(kind.label(), true, () -> detector);
        }
    }

    private static final List<Rule> BUILT_IN = List.of(
            Rule.of(
                    Kind.PRIVATE_KEY,
                    "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,10000}+"
                            + "(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?=-----)|\\z)"),
            Rule.of(Kind.JWT, "eyJ[\\w-]{8,4096}+\\.eyJ[\\w-]{8,16384}+\\.[\\w-]{0,4096}+"),
            Rule.of(
                    Kind.API_KEY,
                    "sk-(?=[\\w-]{0,200}\\d)[\\w-]{20,200}+"
                            + "|(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"
                            + "|gh[opsur]_[0-9A-Za-z]{36,255}+|github_pat_\\w{22,255}+|glpat-[\\w-]{20,64}+"
                            + "|xox[abeoprs]-[0-9A-Za-z-]{10,250}+|AIza[\\w-]{35}(?![\\w-])"
                            + "|[prs]k_(?:live|test)_[0-9A-Za-z]{16,247}+"
                            + "|hf_[0-9A-Za-z]{30,60}+|npm_[0-9A-Za-z]{36}(?!\\w)|SG\\.[\\w-]{16,64}+\\.[\\w-]{16,64}+"),
            Rule.of(Kind.IBAN, CheckedNumbers::iban),
            Rule.of(Kind.CARD, CheckedNumbers::card),
            Rule.of(
                    Kind.EMAIL,
                    "[\\p{L}\\p{N}._%+-]{1,64}+@(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})\\.){1,8}\\p{L}{2,24}"),
            Rule.of(Kind.PHONE, CheckedNumbers::phone),
            Rule.of(Kind.PHONE, "\\(\\d{3}\\) ?\\d{3}[-. ]\\d{4}(?!\\d)|\\d{3}([-.])\\d{3}\\1\\d{4}(?!\\d)"));

    private final String name;
    private final List<Rule> rules;
    private final boolean blocks;

    private Redaction(String name, List<Rule> rules, boolean blocks) {
        this.name = name;
        this.rules = List.copyOf(rules);
        this.blocks = blocks;
    }

    /** Take out everything that {@link Kind} knows. */
    public static Redaction all() {
        return of(Kind.values());
    }

    /**
     * Take out these kinds.
     *
     * @throws ConfigurationException if there is none
     */
    public static Redaction of(Kind... kinds) {
        if (kinds.length == 0) {
            throw new ConfigurationException("A redaction needs at least one kind, or Redaction.none().pattern(...).");
        }
        Set<String> labels = new TreeSet<>();
        for (Kind kind : kinds) {
            labels.add(kind.label());
        }
        return new Redaction(
                "redaction",
                BUILT_IN.stream().filter(rule -> labels.contains(rule.name())).toList(),
                false);
    }

    /** Take out nothing yet; see {@link #pattern}. */
    public static Redaction none() {
        return new Redaction("redaction", List.of(), false);
    }

    /**
     * Return this with one more thing to take out, ahead of the others. In an arriving text, characters that may still
     * become a match are withheld: an open end such as {@code .*} withholds everything. A pattern that would need very
     * many steps on a text fails with a {@link ConfigurationException} that names it, and the run that needs it fails.
     *
     * @param label what stands, in brackets, where it was found
     * @param regex a regular expression of Java
     * @throws ConfigurationException if it is invalid, or matches the empty text
     */
    @CheckReturnValue
    public Redaction pattern(String label, String regex) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new ConfigurationException(
                    "Redaction '" + label + "': the pattern is not a regular expression: " + e.getDescription() + ".",
                    e);
        }
        if (pattern.matcher("").lookingAt()) {
            throw new ConfigurationException("Redaction '" + label + "': the pattern matches the empty text.");
        }
        List<Rule> more = new ArrayList<>();
        more.add(new Rule(label, false, () -> Detector.bounded(label, pattern)));
        more.addAll(rules);
        return new Redaction(name, more, blocks);
    }

    /**
     * Return this so that a find in the input or in an answer ends the run instead. Results of tools and earlier
     * conversation are still redacted.
     */
    @CheckReturnValue
    public Redaction blocking() {
        return new Redaction(name, rules, true);
    }

    /** Return this under another name; by default {@code redaction}. */
    @CheckReturnValue
    public Redaction withName(String other) {
        return new Redaction(other, rules, blocks);
    }

    @Override
    public String name() {
        return name;
    }

    /** Return a text without what is to be taken out. */
    public String redact(String text) {
        return new Scan(rules).next(text, true);
    }

    @Override
    public Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) {
        Scan scan = new Scan(rules);
        messages.forEach(message -> scan.next(message.text() + "\n\n", true));
        return blocks && !scan.found().isEmpty() ? blocked(scan) : processInputStep(context, messages);
    }

    @Override
    public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) {
        return Texts.changed(messages, this::redact);
    }

    @Override
    public TextProcessor processOutputStream(ProcessorContext context) {
        Scan scan = new Scan(rules);
        return new TextProcessor() {
            @Override
            public Processed<String> next(String delta) {
                return passed(scan, scan.next(delta, false));
            }

            @Override
            public Processed<String> end() {
                return passed(scan, scan.next("", true));
            }
        };
    }

    @Override
    public Processed<String> processOutputResult(ProcessorContext context, String text) {
        Scan scan = new Scan(rules);
        String clean = scan.next(text, true);
        return clean.equals(text) ? Processed.unchanged() : passed(scan, clean);
    }

    private Processed<String> passed(Scan scan, String clean) {
        return blocks && !scan.found().isEmpty() ? blocked(scan) : Processed.rewritten(clean);
    }

    /** Name what was found, and never quotes it. */
    private static <T> Processed<T> blocked(Scan scan) {
        return Processed.abort("It contains what must not pass: " + String.join(", ", scan.found()) + ".");
    }
}
