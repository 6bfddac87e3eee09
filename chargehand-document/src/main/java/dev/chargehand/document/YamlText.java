package dev.chargehand.document;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
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
            throw mistakes.fatal(place(e), "is not valid YAML: " + problem(e));
        } catch (ReaderException e) {
            throw mistakes.fatal(
                    place(text, e.getPosition()),
                    "is not valid YAML: the character U+" + String.format("%04X", e.getCodePoint())
                            + " is not allowed in a text. Is it a text file? Take the character out.");
        } catch (YamlEngineException e) {
            throw mistakes.fatal(
                    mistakes.at(1, 1),
                    "is not valid YAML: " + String.valueOf(e.getMessage()).strip() + ".");
        }
    }

    private String text(Path path) {
        try {
            if (Files.isDirectory(path)) {
                throw mistakes.fatal(mistakes.whole(), "is a folder. Name the file in it.");
            }
            if (Files.isRegularFile(path) && Files.size(path) > sort.mostBytes()) {
                throw mistakes.fatal(
                        mistakes.whole(),
                        "is larger than " + sort.size() + ". Is it the right file? Agents need less.");
            }
            return decoded(Files.readAllBytes(path));
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

    /** Nodes are parsed recursively, so their depth is limited. */
    private void requireShallow(String text) {
        int depth = 0;
        ParserImpl parser = parser(text);
        while (parser.hasNext()) {
            Event event = parser.next();
            if (event instanceof CollectionStartEvent) {
                depth++;
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            }
            if (depth > sort.deepest()) {
                throw mistakes.fatal(
                        event.getStartMark().map(mistakes::at).orElseGet(() -> mistakes.at(1, 1)),
                        "lies more than " + sort.deepest() + " levels deep. Is a bracket missing above?");
            }
        }
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
    private String problem(MarkedYamlEngineException e) {
        String problem = String.valueOf(e.getProblem()).strip();
        if (isQuote(e)) {
            return "a text in quotes is not right: " + problem + ". Is a quote not closed?";
        }
        if (problem.contains("TAB")) {
            return "a tab where the indentation is. Indent with spaces.";
        }
        String context = problem.startsWith("expected ',' or")
                ? e.getContextMark()
                        .map(mark -> " The bracket or brace at " + mistakes.at(mark) + " is not closed, or a comma is"
                                + " missing.")
                        .orElse("")
                : advice(problem);
        return (problem.endsWith(".") ? problem.substring(0, problem.length() - 1) : problem) + "." + context;
    }

    private static String advice(String problem) {
        if (problem.contains("mapping values are not allowed")) {
            return " Is a text with ': ' in it without quotes, or the line above indented differently?";
        }
        if (problem.contains("expected <block end>")) {
            return " Keys that belong together start in the same column, and items of a list behind '- '.";
        }
        if (problem.contains("could not find expected ':'")) {
            return " Behind a key comes ': ' and its value.";
        }
        if (problem.contains("alias")) {
            return " An alias such as '*name' needs an anchor '&name' above it; a text that starts with '*' needs quotes.";
        }
        if (problem.contains("found another document")) {
            return " Remove the line '---'; a file is one document.";
        }
        if (problem.contains("cannot start any token")) {
            return " A text that starts with such a character needs quotes.";
        }
        return " Check this line and the one above it.";
    }

    private ParserImpl parser(String text) {
        return new ParserImpl(settings, new StreamReader(settings, text));
    }
}
