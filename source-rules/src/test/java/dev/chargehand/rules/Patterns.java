package dev.chargehand.rules;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the regular expressions of the sources: those that are compiled, and those that methods of strings take. */
final class Patterns extends TreeScanner<@Nullable Void, @Nullable Void> {

    private static final Set<String> OF_STRINGS = Set.of("matches", "replaceAll", "replaceFirst", "split");

    private final JavaSources sources;
    private final List<Found> found = new ArrayList<>();
    private CompilationUnitTree unit;
    private Map<String, ExpressionTree> constants = Map.of();

    /** How a pattern is held against a text. */
    enum Use {
        WHOLE,
        AT_THE_BEGINNING,
        ANYWHERE
    }

    /** A pattern; its text is null if it is no constant. */
    record Found(String place, @Nullable String regex, Set<Use> uses) {

        @Override
        public String toString() {
            return place + " " + regex;
        }
    }

    private Patterns(JavaSources sources) {
        this.sources = sources;
        this.unit = sources.units().getFirst();
    }

    static List<Found> in(JavaSources sources) throws IOException {
        Patterns patterns = new Patterns(sources);
        for (CompilationUnitTree each : sources.units()) {
            patterns.unit = each;
            patterns.constants = constantsOf(each);
            patterns.scan(each, null);
        }
        return patterns.found;
    }

    private static Map<String, ExpressionTree> constantsOf(CompilationUnitTree unit) {
        Map<String, ExpressionTree> constants = new HashMap<>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitVariable(VariableTree variable, @Nullable Void nothing) {
                if (variable.getInitializer() != null) {
                    constants.put(variable.getName().toString(), variable.getInitializer());
                }
                return super.visitVariable(variable, null);
            }
        }.scan(unit, null);
        return constants;
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
        if (call.getMethodSelect() instanceof MemberSelectTree method
                && !call.getArguments().isEmpty()) {
            String name = method.getIdentifier().toString();
            String on = method.getExpression().toString();
            String regex = text(call.getArguments().getFirst());
            if (name.equals("compile") && on.equals("Pattern")) {
                found.add(new Found(sources.place(unit, call), regex, usesOf(call)));
            } else if (OF_STRINGS.contains(name) && regex != null && !isOfMatcher(call, name)) {
                found.add(new Found(sources.place(unit, call), regex, Set.of(use(name))));
            } else if (name.equals("of")
                    && on.equals("Rule")
                    && call.getArguments().size() == 2) {
                String rule = text(call.getArguments().get(1));
                if (rule != null) {
                    found.add(new Found(sources.place(unit, call), rule, Set.of(Use.AT_THE_BEGINNING)));
                }
            }
        }
        return super.visitMethodInvocation(call, null);
    }

    /** Looks for what is called on matchers of the constant that a pattern is kept in; for anything if it is in none. */
    private Set<Use> usesOf(MethodInvocationTree compiled) {
        String code = code();
        Set<Use> uses = EnumSet.noneOf(Use.class);
        constants.forEach((name, value) -> {
            if (value.equals(compiled)) {
                Matcher chained = Pattern.compile(
                                "\\b" + name + "\\.(?:matcher\\((?:[^()]|\\([^()]*\\))*\\)\\s*\\.)?(\\w+)\\(")
                        .matcher(code);
                while (chained.find()) {
                    if (!chained.group(1).equals("matcher")) {
                        uses.add(use(chained.group(1)));
                    }
                }
                Matcher kept =
                        Pattern.compile("(\\w+) = " + name + "\\.matcher\\(").matcher(code);
                while (kept.find()) {
                    Matcher called = Pattern.compile(
                                    "\\b" + kept.group(1) + "\\.(matches|lookingAt|find|results|replaceAll)\\(")
                            .matcher(code);
                    while (called.find()) {
                        uses.add(use(called.group(1)));
                    }
                }
            }
        });
        return uses.isEmpty() ? EnumSet.allOf(Use.class) : uses;
    }

    private String code() {
        try {
            return unit.getSourceFile().getCharContent(true).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Use use(String method) {
        return switch (method) {
            case "matches" -> Use.WHOLE;
            case "lookingAt" -> Use.AT_THE_BEGINNING;
            default -> Use.ANYWHERE;
        };
    }

    /** A matcher's methods of the same names take no pattern. */
    private static boolean isOfMatcher(MethodInvocationTree call, String name) {
        return name.startsWith("replace") && call.getArguments().size() == 1;
    }

    /** Variables of two methods may seem to have each other's values: of such there is no text. */
    private @Nullable String textOf(String name) {
        ExpressionTree constant = constants.remove(name);
        if (constant == null) {
            return null;
        }
        String text = text(constant);
        constants.put(name, constant);
        return text;
    }

    private @Nullable String text(Tree tree) {
        return switch (tree) {
            case LiteralTree literal -> literal.getValue() instanceof String text ? text : null;
            case ParenthesizedTree inner -> text(inner.getExpression());
            case IdentifierTree name -> textOf(name.getName().toString());
            case BinaryTree sum -> {
                String left = text(sum.getLeftOperand());
                String right = text(sum.getRightOperand());
                yield left == null || right == null ? null : left + right;
            }
            default -> null;
        };
    }
}
