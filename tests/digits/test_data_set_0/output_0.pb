
BprobabilitiesJx»å:QÂF:àn:ı|?%¡4;°";W¦j;Ú:›dq:ìÔ9I.H;S”Ú;î
ç:Ôwƒ: Mf;Re;Wv:”ãz?C®59
R†:®V;ÓX:%–ç:M|?<^5;°bz:¬;2;,çÉ:‹ª9KÍ‹9