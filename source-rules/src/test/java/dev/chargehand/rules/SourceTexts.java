package dev.chargehand.rules;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;

/** Collects the texts in the code of a file: error messages, prompts to models, texts of the command line. */
final class SourceTexts extends TreeScanner<Void, Void> {

    /** Fewer words are a name, a key or a format. */
    private static final int FEWEST_WORDS = 4;

    private final CompilationUnitTree unit;
    private final JavaSources sources;
    private final List<Prose.Paragraph> texts = new ArrayList<>();

    private SourceTexts(CompilationUnitTree unit, JavaSources sources) {
        this.unit = unit;
        this.sources = sources;
    }

    /** Returns the texts of a file; parts that are joined by {@code +} are one, with an x for what is not a literal. */
    static Prose of(CompilationUnitTree unit, JavaSources sources) {
        SourceTexts scanner = new SourceTexts(unit, sources);
        scanner.scan(unit, null);
        return new Prose(List.copyOf(scanner.texts));
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void unused) {
        if (tree.getKind() != Tree.Kind.PLUS) {
            return super.visitBinary(tree, null);
        }
        StringBuilder joined = new StringBuilder();
        append(tree, joined);
        add(tree, joined.toString());
        return null;
    }

    private void append(Tree part, StringBuilder joined) {
        if (part instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            append(sum.getLeftOperand(), joined);
            append(sum.getRightOperand(), joined);
        } else if (part instanceof LiteralTree literal && literal.getValue() instanceof String text) {
            joined.append(text);
        } else {
            joined.append('x');
            scan(part, null);
        }
    }

    @Override
    public Void visitLiteral(LiteralTree tree, Void unused) {
        if (tree.getValue() instanceof String text) {
            add(tree, text);
        }
        return null;
    }

    private void add(Tree tree, String text) {
        String words = text.replaceAll("\\s+", " ").strip();
        if (words.chars().filter(each -> each == ' ').count() + 1 >= FEWEST_WORDS) {
            texts.add(new Prose.Paragraph(sources.line(unit, tree), words));
        }
    }
}
