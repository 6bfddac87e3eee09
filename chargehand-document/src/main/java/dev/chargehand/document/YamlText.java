package dev.chargehand.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Parses any file into nodes: content that is not YAML of a sane size is a mistake with its place. */
public final class YamlText {

    private static final Set<String> OWN_TAGS = Stream.of("str", "int", "float", "bool", "null", "map", "seq")
            .map(type -> "tag:yaml.org,2002:" + type)
            .collect(Collectors.toUnmodifiableSet());
    private static final Pattern QUOTED_OR_IN_BRACKETS = Pattern.compile("['\"}\\]]\\s*$");
    private static final Pattern CONFLICT = Pattern.compile("^<{7} ", Pattern.MULTILINE);

    private final Mistakes mistakes;
    private final Sort sort;
    private final LoadSettings settings;
    private final IdentityHashMap<Node, Long> counted = new IdentityHashMap<>();

    /**
     * What a file may be like.
     *
     * @param mostBytes its size
     * @param mostNodes its values, as often as aliases repeat them
     * @param deepest its levels
     * @param ifEmpty what to do if nothing is in it
     * @param ifMissing what to do if it is missing
     */
    public record Sort(int mostBytes, int mostNodes, int deepest, String ifEmpty, String ifMissing) {

        public static final Sort AGENTS = new Sort(
                1_000_000,
                20_000,
                50,
                "It needs the key 'agents' with one agent under it.",
                "'chargehand init' makes one (docs/cli.md).");

        public static final Sort OPENAPI = new Sort(
                16_000_000,
                1_000_000,
                100,
                "It needs the keys of an OpenAPI document.",
                "Its path is relative to the file that names it.");

        /** Say a number of bytes in words. */
        String size() {
            int megabytes = mostBytes / 1_000_000;
            return megabytes == 1 ? "a megabyte" : megabytes + " megabytes";
        }
    }

    public YamlText(String file, Mistakes mistakes) {
        this(file, mistakes, Sort.AGENTS);
    }

    public YamlText(String file, Mistakes mistakes, Sort sort) {
        this.mistakes = mistakes;
        this.sort = sort;
        this.settings = LoadSettings.builder()
                .setLabel(file)
                .setAllowRecursiveKeys(false)
                .setCodePointLimit(sort.mostBytes())
                .build();
    }

    /** Read the nodes of a file; all others are reached from the one that is returned. */
    public Node read(Path path) {
        return parse(text(path));
    }

    /** Read the nodes of a text instead of a file. */
    public Node read(String text) {
        return parse(text);
    }

    private Node parse(String raw) {
        String text = withoutTabs(raw.startsWith("\ufeff") ? raw.substring(1) : raw);
        requireNoConflict(text);
        try {
            requireShallow(text);
            Node root = new Composer(settings, parser(text))
                    .getSingleNode()
                    .orElseThrow(() -> mistakes.fatal(mistakes.at(1, 1), "is empty. " + sort.ifEmpty()));
            if (nodes(root) > sort.mostNodes()) {
                throw mistakes.fatal(
                        mistakes.at(root),
                        "is too large: more than " + String.format(Locale.ROOT, "%,d", sort.mostNodes())
                                + " values, with what its aliases ('*name') stand for. Write less, or use fewer"
                                + " aliases.");
            }
            return root;
        } catch (MarkedYamlEngineException e) {
            throw mistakes.fatal(place(e), "is not valid YAML: " + problem(e, text));
        } catch (ReaderException e) {
            throw mistakes.fatal(
                    place(text, e.getPosition()),
                    "is not valid YAML: the character U+" + String.format("%04X", e.getCodePoint())
                            + " is not allowed in a text. Is it a text file? Take the character out.");
        } catch (YamlEngineException e) {
            String problem = String.valueOf(e.getMessage()).strip();
            throw mistakes.fatal(
                    mistakes.at(1, 1), "is not valid YAML: " + problem + (problem.endsWith(".") ? "" : "."));
        }
    }

    private String text(Path path) {
        try {
            if (Files.isDirectory(path)) {
                throw mistakes.fatal(mistakes.whole(), "is a folder. Name the file in it.");
            }
            byte[] bytes;
            try (InputStream in = Files.newInputStream(path)) {
                bytes = in.readNBytes(sort.mostBytes() + 1); // a device may have no end
            }
            if (bytes.length > sort.mostBytes()) {
                throw mistakes.fatal(
                        mistakes.whole(),
                        "is larger than " + sort.size() + ". Is it the right file? Agents need less.");
            }
            return decoded(bytes);
        } catch (NoSuchFileException e) {
            throw mistakes.fatal(mistakes.whole(), "there is no such file. " + sort.ifMissing());
        } catch (IOException e) {
            throw mistakes.fatal(
                    mistakes.whole(),
                    "cannot be read (" + e.getClass().getSimpleName() + "). Is it a file, and yours to read?");
        }
    }

    /** JSON is YAML but for the tabs that may indent it; within its texts there are none. */
    private static String withoutTabs(String text) {
        return text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
    }

    private String decoded(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        String read = out.flip().toString();
        if (result.isError()) {
            throw mistakes.fatal(
                    place(read, read.length()), "is not UTF-8 text from this point on. Save the file as UTF-8.");
        }
        return read;
    }

    private Position place(String text, int index) {
        String before = text.substring(0, Math.clamp(index, 0, text.length()));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return mistakes.at(line, before.length() - before.lastIndexOf('\n'));
    }

    /** Nodes are parsed recursively, so their depth is limited; and a key is a word. */
    private void requireShallow(String text) {
        Deque<Next> open = new ArrayDeque<>();
        ParserImpl parser = parser(text);
        while (parser.hasNext()) {
            Event event = parser.next();
            requireReadable(event);
            if (event instanceof CollectionEndEvent) {
                open.pop();
            } else if (event instanceof NodeEvent && !open.isEmpty() && open.peek() != Next.ITEM) {
                if (open.peek() == Next.KEY && event instanceof CollectionStartEvent) {
                    throw mistakes.fatal(
                            start(event), "has a key that is a list, or keys and values. A key is a word.");
                }
                open.push(open.pop() == Next.KEY ? Next.VALUE : Next.KEY);
            }
            if (event instanceof CollectionStartEvent) {
                open.push(event instanceof MappingStartEvent ? Next.KEY : Next.ITEM);
            }
            if (open.size() > sort.deepest()) {
                throw mistakes.fatal(
                        start(event), "lies more than " + sort.deepest() + " levels deep. Is a bracket missing above?");
            }
        }
    }

    /** What comes next in a collection that is read. */
    private enum Next {
        ITEM,
        KEY,
        VALUE
    }

    private Position start(Event event) {
        return event.getStartMark().map(mistakes::at).orElseGet(() -> mistakes.at(1, 1));
    }

    /** A tag says what a value is to be read as, which nothing here does but for those of YAML's own types. */
    private void requireReadable(Event event) {
        if (sort.equals(Sort.AGENTS)
                && event instanceof ScalarEvent scalar
                && scalar.getValue().indexOf('\u0000') >= 0) {
            throw mistakes.fatal(
                    start(event), "has a text with the character U+0000, which no text may have. Take it out.");
        }
        Optional<String> tag =
                switch (event) {
                    case ScalarEvent scalar -> scalar.getTag();
                    case CollectionStartEvent collection -> collection.getTag();
                    default -> Optional.empty();
                };
        tag.filter(each -> sort.equals(Sort.AGENTS) && !each.equals("!") && !OWN_TAGS.contains(each))
                .ifPresent(each -> {
                    throw mistakes.fatal(
                            start(event),
                            "the tag '" + Section.shown(each.replace("tag:yaml.org,2002:", "!!"))
                                    + "' is not supported. Remove it; a text that starts with '!' needs quotes.");
                });
    }

    /** Count the values as a reader meets them, which follows every alias. */
    private long nodes(Node node) {
        Long known = counted.get(node);
        if (known != null) {
            return known;
        }
        counted.put(node, sort.mostNodes() + 1L); // for what holds itself
        List<Node> below =
                switch (node) {
                    case MappingNode mapping ->
                        mapping.getValue().stream()
                                .flatMap(tuple -> Stream.of(tuple.getKeyNode(), tuple.getValueNode()))
                                .toList();
                    case SequenceNode sequence -> sequence.getValue();
                    default -> List.of();
                };
        long sum = 1;
        for (Node child : below) {
            sum = Math.min(sort.mostNodes() + 1L, sum + nodes(child));
        }
        counted.put(node, sum);
        return sum;
    }

    /** An unclosed element is noticed only at the end of the file, but the mistake is at its start. */
    private Position place(MarkedYamlEngineException e) {
        return (isQuote(e) ? e.getContextMark() : e.getProblemMark())
                .map(mistakes::at)
                .orElseGet(() -> mistakes.at(1, 1));
    }

    private static boolean isQuote(MarkedYamlEngineException e) {
        return String.valueOf(e.getContext()).contains("quoted scalar");
    }

    /** Return what the parser says, and what most often leads to it. */
    private String problem(MarkedYamlEngineException e, String text) {
        String problem = String.valueOf(e.getProblem()).strip();
        String before = e.getProblemMark().map(mark -> before(mark, text)).orElse("");
        if (isQuote(e)) {
            return "a text in quotes is not right: " + problem + "."
                    + (problem.contains("escape")
                            ? " Write a backslash twice, or put the text in single quotes."
                            : " Is a quote not closed?");
        }
        if (problem.contains("TAB")) {
            return before.isBlank()
                    ? "a tab where the indentation is. Indent with spaces."
                    : "a tab where a space belongs. Write a space.";
        }
        String context = problem.startsWith("expected ',' or")
                ? e.getContextMark()
                        .map(mark -> " The bracket or brace at " + mistakes.at(mark) + " is not closed, or a comma is"
                                + " missing.")
                        .orElse("")
                : advice(problem, before);
        return (problem.endsWith(".") ? problem.substring(0, problem.length() - 1) : problem) + "." + context;
    }

    /** Return what is before a place on its line. */
    private static String before(Mark mark, String text) {
        return text.lines()
                .skip(mark.getLine())
                .findFirst()
                .map(line -> line.substring(
                        0,
                        line.offsetByCodePoints(0, Math.min(mark.getColumn(), line.codePointCount(0, line.length())))))
                .orElse("");
    }

    private static String advice(String problem, String before) {
        if (problem.startsWith("expected <block end>")
                && QUOTED_OR_IN_BRACKETS.matcher(before).find()) {
            return " A text that starts with a quote, '{' or '[' ends where that is closed; put all of it in quotes.";
        }
        if (problem.contains("mapping values are not allowed")) {
            return " Is a text with ': ' in it without quotes, or the line above indented differently?";
        }
        if (problem.contains("expected <block end>")) {
            return " Keys that belong together start in the same column, and items of a list behind '- '.";
        }
        if (problem.contains("could not find expected ':'")) {
            return " Behind a key comes ': ' and its value; the lines of a long text are indented further than its key.";
        }
        if (problem.startsWith("unexpected character found *")
                || problem.startsWith("expected alphabetic or numeric")) {
            return " A text that starts with '*' or '&' needs quotes.";
        }
        if (problem.contains("alias")) {
            return " An alias such as '*name' needs an anchor '&name' above it; a text that starts with '*' needs quotes.";
        }
        if (problem.contains("expected '<document start>'")) {
            return " Is there a line '...' above? Remove it; a file is one document.";
        }
        if (problem.contains("found another document")) {
            return " Remove the line '---'; a file is one document.";
        }
        if (problem.contains("cannot start any token")) {
            return " A text that starts with such a character needs quotes.";
        }
        return " Check this line and the one above it.";
    }

    private void requireNoConflict(String text) {
        Matcher conflict = CONFLICT.matcher(text);
        if (conflict.find()) {
            throw mistakes.fatal(
                    place(text, conflict.start()),
                    "has an unresolved conflict of a version control. Keep one of the two sides, and remove the lines"
                            + " with <<<<<<<, ======= and >>>>>>>.");
        }
    }

    private ParserImpl parser(String text) {
        return new ParserImpl(settings, new StreamReader(settings, text));
    }
}
