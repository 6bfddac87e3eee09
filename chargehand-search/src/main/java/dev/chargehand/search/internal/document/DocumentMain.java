package dev.chargehand.search.internal.document;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Timer;
import java.util.TimerTask;

/** The process that reads documents for another one: from standard input, to standard output, until the input ends. */
final class DocumentMain {

    private DocumentMain() {}

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        System.setOut(System.err); // the answers are alone there, whatever a library prints
        long limit = Long.parseLong(args[0]);
        Timer timer = new Timer(true);
        while (true) {
            String end;
            try {
                end = in.readUTF();
            } catch (EOFException e) {
                return;
            }
            byte[] bytes = in.readNBytes(in.readInt());
            TimerTask halt = halt();
            timer.schedule(halt, limit);
            try {
                DocumentWire.answer(out, DocumentKinds.read(end, bytes));
            } catch (UnreadableDocumentException e) {
                DocumentWire.answer(out, e);
            }
            halt.cancel();
        }
    }

    /** The caller gives up earlier; if the caller was killed, this timer ends the process. */
    private static TimerTask halt() {
        return new TimerTask() {
            @Override
            public void run() {
                Runtime.getRuntime().halt(4);
            }
        };
    }
}
