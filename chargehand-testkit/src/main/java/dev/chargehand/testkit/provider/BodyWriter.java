package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.Framing;
import dev.chargehand.testkit.provider.reply.Pacing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Frames the body of one reply, in parts or in pieces that do not care about parts. */
final class BodyWriter {
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final WireOut out;
    private final Framing framing;
    private final Pacing pacing;
    private final Pauses pauses;
    private final byte[] piece;
    private int pieceSize;
    private boolean partWritten;
    private boolean pieceWritten;

    /** Waits on behalf of the reply; ends it when the connection ends. */
    interface Pauses {
        void pause(Duration duration) throws IOException, InterruptedException;
    }

    BodyWriter(WireOut out, Framing framing, Pacing pacing, Pauses pauses) {
        this.out = out;
        this.framing = framing;
        this.pacing = pacing;
        this.pauses = pauses;
        this.piece = new byte[pacing.pieceBytes()];
    }

    void part(byte[] bytes) throws IOException, InterruptedException {
        if (pacing.partsApart() && partWritten) {
            settle();
            pauses.pause(pacing.partGap());
        }
        partWritten = true;
        if (piece.length == 0) {
            frame(bytes, bytes.length);
        } else {
            cut(bytes);
        }
    }

    /** Write out what waits, so that the client can have all of it. */
    void settle() throws IOException, InterruptedException {
        piece();
    }

    /** End the body as its framing wants; something is always left for the write after {@code served}. */
    void end(Runnable served) throws IOException, InterruptedException {
        framePiece();
        if (framing == Framing.CHUNKED) {
            out.write(LAST_CHUNK, 0, LAST_CHUNK.length);
        }
        served.run();
        out.flush();
    }

    private void cut(byte[] bytes) throws IOException, InterruptedException {
        for (int from = 0; from < bytes.length; ) {
            int count = Math.min(piece.length - pieceSize, bytes.length - from);
            System.arraycopy(bytes, from, piece, pieceSize, count);
            pieceSize += count;
            from += count;
            if (pieceSize == piece.length) {
                piece();
            }
        }
    }

    private void piece() throws IOException, InterruptedException {
        framePiece();
        out.flush();
    }

    private void framePiece() throws IOException, InterruptedException {
        if (pieceSize == 0) {
            return;
        }
        out.flush();
        if (pieceWritten) {
            pauses.pause(pacing.pieceGap());
        }
        pieceWritten = true;
        frame(piece, pieceSize);
        pieceSize = 0;
    }

    /** An empty part has no chunk: the empty chunk is the end of the body. */
    private void frame(byte[] bytes, int length) throws IOException {
        if (framing != Framing.CHUNKED) {
            out.write(bytes, 0, length);
        } else if (length > 0) {
            byte[] size = Integer.toHexString(length).getBytes(StandardCharsets.US_ASCII);
            out.write(size, 0, size.length);
            out.write(LINE_END, 0, LINE_END.length);
            out.write(bytes, 0, length);
            out.write(LINE_END, 0, LINE_END.length);
        }
    }
}
