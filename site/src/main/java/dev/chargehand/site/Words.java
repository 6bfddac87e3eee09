package dev.chargehand.site;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** Collects the words of a node and its descendants. */
final class Words extends AbstractVisitor {

    private final StringBuilder words;

    Words(StringBuilder words) {
        this.words = words;
    }

    @Override
    public void visit(Text text) {
        words.append(text.getLiteral());
    }

    @Override
    public void visit(Code code) {
        words.append(code.getLiteral());
    }

    @Override
    public void visit(HtmlInline html) {
        words.append(html.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock block) {
        words.append(block.getLiteral());
    }

    @Override
    public void visit(IndentedCodeBlock block) {
        words.append(block.getLiteral());
    }

    @Override
    public void visit(Paragraph paragraph) {
        visitChildren(paragraph);
        words.append(' ');
    }

    @Override
    public void visit(CustomNode node) {
        visitChildren(node);
        if (node instanceof TableCell) {
            words.append(' ');
        }
    }

    @Override
    public void visit(SoftLineBreak lineBreak) {
        words.append(' ');
    }

    @Override
    public void visit(HardLineBreak lineBreak) {
        words.append(' ');
    }
}
