package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How the process that reads documents is called, and answers. */
final class DocumentWire {

    private static final int MOST = 4 * DocumentText.Builder.MOST_CHARACTERS;

    private DocumentWire() {}

    static void ask(DataOutputStream out, String end, byte[] bytes) throws IOException {
        out.writeUTF(end);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    static void answer(DataOutputStream out, DocumentText text) throws IOException {
        out.writeBoolean(true);
        out.writeInt(text.lines().size());
        for (int i = 0; i < text.lines().size(); i++) {
            write(out, text.lines().get(i));
            write(out, text.place(i));
        }
        out.writeInt(text.blocks().size());
        for (Block block : text.blocks()) {
            out.writeInt(block.first());
            out.writeInt(block.last());
            write(out, block.heading());
        }
        out.writeBoolean(text.cut());
        out.flush();
    }

    static void answer(DataOutputStream out, UnreadableDocumentException why) throws IOException {
        out.writeBoolean(false);
        write(out, why.reason().name());
        write(out, String.valueOf(why.getMessage()));
        out.flush();
    }

    /**
     * Read an answer; invalid data is rejected before it takes memory, because a hostile document may control the
     * process.
     */
    static DocumentText answer(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            throw new UnreadableDocumentException(Reason.valueOf(read(in)), read(in));
        }
        int count = size(in.readInt());
        List<String> lines = new ArrayList<>();
        List<String> places = new ArrayList<>();
        long characters = 0;
        for (int i = 0; i < count; i++) {
            lines.add(read(in));
            places.add(read(in));
            characters += lines.get(i).length() + places.get(i).length();
            size(characters);
        }
        int blockCount = size(in.readInt());
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < blockCount; i++) {
            Block block = new Block(in.readInt(), in.readInt(), read(in));
            if (block.first() < 0 || block.last() < block.first() || block.last() >= count) {
                throw new IOException("a block of lines that do not exist");
            }
            blocks.add(block);
        }
        return new DocumentText(lines, places, blocks, in.readBoolean());
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(size(in.readInt()));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int size(long size) throws IOException {
        if (size < 0 || size > MOST) {
            throw new IOException("more than a document may have");
        }
        return (int) size;
    }
}
