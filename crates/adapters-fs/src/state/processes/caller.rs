//! Which programs are at the other end of a connection of this machine.
//!
//! Linux alone says it: the kernel lists connections with the number of each socket, and who holds a socket. Deliberately
//! absent: writing it down, and what the programs may do.

use std::net::SocketAddr;

use super::Process;
use super::client::{client_of, is_of_an_editor};

/// Whether it can be told on this system who calls.
pub const CALLERS_ARE_KNOWN: bool = cfg!(target_os = "linux");

/// The clients that hold the other end of the connection from `caller` to `own`, each with what belongs to it. `None` where
/// nobody of this user is seen to hold it, or where what holds it belongs to nobody: a login, a desktop, a person's shell.
///
/// What holds it is the client itself. There is none where an editor's process for extensions holds it, since a person's own
/// terminals are below that, too.
pub fn calling_over(caller: SocketAddr, own: SocketAddr) -> Option<Vec<Process>> {
    let holders = platform::holders(caller, own);
    if holders.is_empty() {
        return None;
    }
    let mut clients: Vec<Process> = Vec::new();
    for holder in holders {
        let found = client_of(holder);
        if found.is_empty() && !is_of_an_editor(holder) {
            return None;
        }
        for client in found {
            if !clients.contains(&client) {
                clients.push(client);
            }
        }
    }
    Some(clients)
}

#[cfg(target_os = "linux")]
mod platform {
    use std::fs::{read_dir, read_link, read_to_string};
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

    /// The processes of this user that hold the caller's end.
    pub(super) fn holders(caller: SocketAddr, own: SocketAddr) -> Vec<u32> {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
        let found = tables.iter().find_map(|table| socket(&read_to_string(table).ok()?, caller, own));
        let Some(socket) = found else { return Vec::new() };
        let link = format!("socket:[{socket}]");
        let entries = read_dir("/proc").into_iter().flatten().flatten();
        let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        processes.filter(|pid| holds(*pid, &link)).collect()
    }

    fn holds(pid: u32, link: &str) -> bool {
        let files = read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| read_link(file.path()).ok()).any(|target| target.as_os_str() == link)
    }

    /// The number of the socket at the caller's end, in one table of the kernel.
    fn socket(table: &str, caller: SocketAddr, own: SocketAddr) -> Option<u64> {
        let (callers, owns) = (spelled(caller)?, spelled(own)?);
        let is_end = |field: &str, spellings: &[String; 2]| spellings.iter().any(|spelled| spelled == field);
        table.lines().skip(1).find_map(|line| {
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            let (local, remote) = (fields.get(1)?, fields.get(2)?);
            let socket = fields.get(9)?.parse().ok()?;
            (is_end(local, &callers) && is_end(remote, &owns) && socket != 0).then_some(socket)
        })
    }

    /// An address as the kernel writes it, in both tables: a socket for IPv6 may hold a connection of IPv4.
    fn spelled(address: SocketAddr) -> Option<[String; 2]> {
        let IpAddr::V4(ip) = address.ip() else { return None };
        let word = |bytes: [u8; 4]| format!("{:08X}", u32::from_ne_bytes(bytes));
        let mapped: Ipv6Addr = Ipv4Addr::to_ipv6_mapped(&ip);
        let words: String = mapped.octets().as_chunks::<4>().0.iter().map(|bytes| word(*bytes)).collect();
        let port = address.port();
        Some([format!("{}:{port:04X}", word(ip.octets())), format!("{words}:{port:04X}")])
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:20C7 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 5 1 0 100 0 0 10 0
   1: 0100007F:20C7 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 6 1 0 20 4 30 10 -1
   2: 0100007F:D431 0100007F:20C7 01 00000000:00000000 00:00000000 00000000  1000        0 7 1 0 20 4 30 10 -1
   3: 0100007F:D432 0100007F:20C7 06 00000000:00000000 03:00001770 00000000     0        0 0 3 0
   4: 0000000000000000FFFF00000100007F:D433 0000000000000000FFFF00000100007F:20C7 01 0:0 0:0 0 1000 0 8 1 0
";

        // D-16: the client over HTTP is whoever holds the other end, and no other connection
        #[test]
        fn the_callers_end_of_a_connection_is_found() {
            let at = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
            let own = at(0x20C7);
            let found = [0xD431, 0xD432, 0xD433, 0xD434].map(|port| socket(TABLE, at(port), own));
            assert_eq!(found, [Some(7), None, Some(8), None]);
            assert_eq!(socket(TABLE, at(0xD431), at(0x20C8)), None);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::net::SocketAddr;

    pub(super) fn holders(_caller: SocketAddr, _own: SocketAddr) -> Vec<u32> {
        Vec::new()
    }
}
