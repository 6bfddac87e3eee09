package dev.chargehand.search.internal.text;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the index knows of a file.
 *
 * @param lookedAt when its stamp was taken, before it was read, in nanoseconds since 1970
 * @param hash of its content, as far as it was read
 * @param bytes how many were read
 * @param indexed whether it counts as a file of the index, though it may have no passages
 * @param reason why it or a part of it was left out, or null
 * @param detail the reason as a sentence
 * @param passing whether the reason may be gone when the folder is looked at by another process
 */
public record FileRow(
        FileStamp stamp,
        long lookedAt,
        String hash,
        long bytes,
        boolean indexed,
        int passages,
        @Nullable Reason reason,
        String detail,
        boolean passing) {

    public FileRow at(FileStamp newer, long now) {
        return new FileRow(newer, now, hash, bytes, indexed, passages, reason, detail, passing);
    }

    byte[] encoded() throws IOException {
        ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytesOut);
        out.writeLong(stamp.size());
        out.writeLong(stamp.modified());
        out.writeLong(stamp.changed());
        out.writeLong(lookedAt);
        out.writeUTF(hash);
        out.writeLong(bytes);
        out.writeBoolean(indexed);
        out.writeInt(passages);
        out.writeUTF(reason == null ? "" : reason.name());
        out.writeUTF(detail);
        out.writeBoolean(passing);
        return bytesOut.toByteArray();
    }

    static FileRow decoded(byte[] bytes, int from, int length) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, from, length));
        FileStamp stamp = new FileStamp(in.readLong(), in.readLong(), in.readLong());
        long lookedAt = in.readLong();
        String hash = in.readUTF();
        long read = in.readLong();
        boolean indexed = in.readBoolean();
        int passages = in.readInt();
        String reason = in.readUTF();
        return new FileRow(
                stamp,
                lookedAt,
                hash,
                read,
                indexed,
                passages,
                reason.isEmpty() ? null : Reason.valueOf(reason),
                in.readUTF(),
                in.readBoolean());
    }
}
